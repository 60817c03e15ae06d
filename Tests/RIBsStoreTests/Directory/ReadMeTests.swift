// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite("The program of README.md", .onOwnThread)
struct ReadMeTests {
  @Test("is the program that these tests run")
  func sources() throws {
    let program = try packageText("Tests/Probes/RidesProbe/Rides.swift")
    // Without the three lines of its header.
    let test = try packageText("Tests/RIBsStoreTests/Directory/RidesTests.swift")
      .replacing("import RidesProbe", with: "import rides").components(separatedBy: "\n").dropFirst(3)
    #expect(try Probe.blocks(of: "README.md", in: "swift") == [program, test.joined(separator: "\n")])
  }

  /// A printed tree without what differs between two runs: ages and times.
  private func timeless(_ lines: some Sequence<String>) -> [String] {
    lines.map { line in
      line.replacing(/active [0-9]+m?s +/, with: "active ").replacing(/until .+/, with: "until")
    }
  }

  private func secondsLeft(_ line: String?) throws -> Int {
    let time = try #require(line?.firstMatch(of: /\(in ([0-9]+)m ([0-9]+)s\)/), "\(line ?? "")")
    return try #require(Int(time.1)) * 60 + #require(Int(time.2))
  }

  @Test("prints the trees of README.md, before and after a kill")
  func trees() async throws {
    try await withTemporaryDirectory { directory in
      let rides = Probe(name: "RidesProbe")
      let first = try rides.printed(in: directory) { $0.contains("Ride ") }
      let second = try rides.printed(in: directory) { $0.contains("Ride ") }
      // Each line of a document that has a branch of a tree belongs to a block that is compared.
      let blocks = try Probe.blocks(of: "README.md").map { $0.components(separatedBy: "\n").dropLast() }
      let shown = blocks.filter { lines in lines.contains { $0.contains("─ ") } }
      let printed = shown.flatMap { $0 }.filter { !$0.hasPrefix("$ ") && $0 != "Killed" }
      #expect(timeless(printed) == timeless(first + second))
      #expect(try packageText("README.md").components(separatedBy: "─ ").count - 1 == 2)
      let (left, leftAfterwards) = try (secondsLeft(first.last), secondsLeft(second.last))
      #expect((540...600).contains(left) && leftAfterwards <= left)
    }
  }
}
