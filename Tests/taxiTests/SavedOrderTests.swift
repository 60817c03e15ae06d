// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import TaxiOrder
@testable import taxi
@testable import TaxiSimulation

@Suite("A saved order", .folded)
struct SavedOrderTests {
  private static let end = "Completed: 20.99 charged"

  private let folder: TemporaryFolder
  private var path: String { folder.path + "/order.json" }

  init() throws { folder = try TemporaryFolder() }

  @Test("continues in another process, from each stage, and saves again", arguments: Stage.allCases)
  func stages(stage: Stage) async throws {
    #expect(await RecordingTerminal.run("order --fault driver-cancels").out.contains(Self.end))
    let first = await RecordingTerminal.run("order --fault driver-cancels --save \(path) --until \(stage.rawValue)")
    #expect(first.status == 0)
    #expect(first.out.hasSuffix("\nSaved. Continue with: taxi order --restore '\(path)'\n"))
    let second = await RecordingTerminal.run("order --restore \(path) --save \(path)")
    #expect((second.status, second.error) == (0, ""))
    #expect(second.out.contains(Self.end))
    // The order has ended, and says so again.
    let third = await RecordingTerminal.run("order --restore \(path)")
    #expect(third.out.contains(Self.end))
    #expect(!third.out.contains("Paid"))
    let backend = try OrderFiles.read(path).backend
    #expect(backend.state.payments.values.filter { $0 == .paid }.count == 1)
  }

  @Test("for later continues to wait in another process, and is on time")
  func later() async throws {
    let first = await RecordingTerminal.run("order --at 8:30 --save \(path) --until dispatching")
    #expect(first.out.contains("Ordered for 8:30:00"))
    #expect(!first.out.contains("Looking for a taxi"))
    let second = await RecordingTerminal.run("order --restore \(path)")
    #expect(second.out.contains("8:30:00    › Looking for a taxi"), "\(second.out)")
    #expect(second.out.contains(Self.end))
  }

  @Test("of the first version of the format continues")
  func golden() async throws {
    let fixtures = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "TaxiOrderTests/Fixtures")
    for (name, copy) in [("order-1.json", path), ("order-1.json.backend", path + ".backend")] {
      try FileManager.default.copyItem(atPath: fixtures.appending(path: name).path, toPath: copy)
    }
    let run = await RecordingTerminal.run("order --restore \(path)")
    #expect(run.status == 0)
    #expect(run.out.contains(Self.end))
  }

  @Test("by a link continues before and after the login", arguments: [Stage.loggedOut, .selecting, .dispatching])
  func link(stage: Stage) async throws {
    _ = await RecordingTerminal.run("order --link taxi://order?from=Harbour --save \(path) --until \(stage.rawValue)")
    let run = await RecordingTerminal.run("order --restore \(path)")
    #expect(run.out.contains("Harbour, 20.99"))
    #expect(run.out.contains(Self.end))
  }

  @Test("is written as JSON without a hint")
  func json() async throws {
    let run = await RecordingTerminal.run("order --save \(path) --until rating --format json")
    #expect(run.out.split(separator: "\n").allSatisfy { $0.hasPrefix("{") })
  }

  @Test("replaces no folder, and no earlier order before its tree can be recorded")
  func refusals() async throws {
    #expect(await RecordingTerminal.run("order --save \(path)").status == 0)
    let unrecorded = await RecordingTerminal.run("order --save \(path) --record \(folder.path)/missing/x")
    #expect(unrecorded.status == 74)
    #expect(await RecordingTerminal.run("order --restore \(path)").status == 0)
    let trips = folder.path + "/trips"
    try FileManager.default.createDirectory(atPath: trips + "/order", withIntermediateDirectories: true)
    for command in ["order --save \(trips)", "order --restore \(path) --save \(trips)"] {
      #expect(await RecordingTerminal.run(command) == (74, "", "taxi: can't write '\(trips)': not a regular file\n"))
      #expect(try FileManager.default.contentsOfDirectory(atPath: trips) == ["order"])
    }
  }

  @Test("whose save fails while it runs ends with the reason", arguments: ["", "--until logged-out"])
  func failedSave(options: String) async throws {
    let recording = RecordingTerminal()
    var terminal = recording.terminal
    terminal.out = { [path] text in
      recording.terminal.out(text)
      // In the place of the file, before the first save.
      try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }
    #expect(await TaxiProgram(terminal: terminal).run(words("order --save \(path) \(options)")) == 74)
    #expect(recording.error == "taxi: can't write '\(path)': Is a directory\n")
    #expect(!recording.out.contains("Failed") && !recording.out.contains("Saved"))
  }

  @Test(
    "whose backend is damaged is refused",
    arguments: [
      #""calls":[]"#, #""received":[]"#, #""assignments":-1"#, #""assignments":9223372036854775807"#, #""fleet":-1"#,
    ])
  func damagedBackend(field: String) async throws {
    _ = await RecordingTerminal.run("order --save \(path) --until selecting")
    let backend = try String(contentsOfFile: path + ".backend", encoding: .utf8)
    let name = try #require(field.split(separator: ":").first)
    let damaged = backend.replacing(try Regex(name + #":(\[[^\]]*\]|\d+)"#), with: field)
    #expect(damaged != backend)
    try damaged.write(toFile: path + ".backend", atomically: true, encoding: .utf8)
    let run = await RecordingTerminal.run("order --restore \(path)")
    #expect(run == (65, "", "taxi: '\(path).backend' is not a saved order: it is not the memory of a backend\n"))
  }

  @Test("that can't be read, written or restored is reported")
  func failures() async throws {
    let missing = await RecordingTerminal.run("order --restore \(path)")
    #expect((missing.status, missing.error) == (66, "taxi: can't read '\(path)': No such file or directory\n"))
    let unwritable = await RecordingTerminal.run("order --save \(path)/x")
    #expect(unwritable.status == 74)
    #expect(unwritable.error == "taxi: can't write '\(path)/x.backend': No such file or directory\n")
    _ = await RecordingTerminal.run("order --save \(path) --until receipt")
    let document = try String(contentsOfFile: path, encoding: .utf8)
    try document.replacing(#""v":1"#, with: #""v":2"#).write(toFile: path, atomically: true, encoding: .utf8)
    let later = await RecordingTerminal.run("order --restore \(path)")
    #expect(later.status == 65)
    #expect(later.error.hasPrefix("taxi: the order can't be restored: "))
    #expect(later.error.contains("Root"))
    try "[]".write(toFile: path, atomically: true, encoding: .utf8)
    let malformed = await RecordingTerminal.run("order --restore \(path)")
    #expect(malformed.status == 65)
    #expect(malformed.error.hasPrefix("taxi: '\(path)' is not a saved order: "))
  }
}
