// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite("The program of the article SurvivingACrash", .onOwnThread)
struct EggsTests {
  @Test("is the program that these tests run")
  func sources() throws {
    let samples = try Probe.blocks(of: "Sources/RIBsStore/RIBsStore.docc/SurvivingACrash.md", in: "swift")
    #expect(
      samples == [
        try packageText("Tests/Probes/EggsProbe/Egg.swift"), try packageText("Tests/Probes/EggsProbe/Eggs.swift"),
      ])
  }

  private let eggs = Probe(name: "EggsProbe")

  private func secondsLeft(_ line: String?) -> Int? { line?.split(separator: " ").first.flatMap { Int($0) } }

  @Test("continues after a kill with the time that is left, and ends when that is over")
  func killing() async throws {
    try await withTemporaryDirectory { directory in
      let file = directory + "/eggs/egg/awake/breakfast.json"
      // The process prints one line, and saves at its own pace.
      let first = try eggs.printed(in: directory) { _ in
        while !FileManager.default.fileExists(atPath: file) { Thread.sleep(forTimeInterval: 0.01) }
        return true
      }
      let start = try #require(secondsLeft(first.first))
      #expect((170...180).contains(start))
      let saved = try String(contentsOfFile: file, encoding: .utf8)
      let second = try eggs.printed(in: directory) { _ in true }
      #expect(try #require(secondsLeft(second.first)) <= start)
      let date = try #require(saved.split(separator: "\"state\":").last?.prefix { $0.isNumber || $0 == "." })
      #expect(try String(contentsOfFile: file, encoding: .utf8).contains("\"state\":\(date)}"))
      // As if the egg had been forgotten for an hour.
      let past = "\(Date.now.timeIntervalSinceReferenceDate - 3_600)"
      let document = "{\"format\":1,\"ribs\":[\n{\"rib\":\"Egg\",\"v\":1,\"state\":\(past)}\n]}\n"
      // Edited by hand, so without a checksum.
      let header = try #require(saved.split(separator: "\n").first).replacing(
        /"bytes":[0-9]+,"checksum":"[0-9a-f]+"/, with: "\"bytes\":\(document.utf8.count)")
      try "\(header)\n\(document)".write(toFile: file, atomically: false, encoding: .utf8)
      let last = try eggs.printed(in: directory) { _ in false }
      #expect(Set(last.dropLast()) == ["The egg is done."] && last.last == "breakfast:Egg ended it", "\(last)")
      #expect(FileManager.default.fileExists(atPath: directory + "/eggs/egg/asleep/breakfast.json"))
    }
  }
}
