// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsLists
import RIBsTesting
import Testing

@testable import RIBsInspector

@Suite("The lines of events")
struct EventEncoderTests {
  private struct Trouble: Error, CustomStringConvertible {
    let description: String
  }

  private final class Ticking: Worker {}

  /// Triggers an event of each kind that has additional fields.
  private final class BusyInteractor: Interactor {
    override var ribLabel: String? { "\"7\"" }
  }

  private final class BusyRouter: Router<BusyInteractor> {
    private lazy var rows = ChildList<Row>(of: self) { _, _ in RowRouter(interactor: Interactor()) }

    func beBusy(_ messages: [String]) throws {
      try rows.update([Row(id: "a"), Row(id: "b")])
      Ticking().start(interactor)
      attachChild(self)
      for message in messages {
        interactor.task("\"work\"", overlap: .enqueue) { throw Trouble(description: message) }
      }
    }
  }

  private static let messages = [
    "", "plain", "\"quoted\" \\ /slashed/",
    "line\nline\r\n\ttab\u{8}\u{C}", "\u{0}\u{1}\u{F}\u{10}\u{1B}\u{1F}\u{7F}\u{80}",
    "\u{2028}\u{2029}\u{FEFF}", "naïve 日本語 👩‍👩‍👧‍👦", String(repeating: "é", count: 1_000),
    String(repeating: "é", count: 1_001), String(repeating: "long ", count: 100_000),
    // One character.
    "e" + String(repeating: "\u{301}", count: 100_000),
  ]

  /// Events of many kinds.
  private func events() async throws -> [TreeEvent] {
    let recorded = Locked<[TreeEvent]>([])
    let host = await TreeHost(
      configuration: TreeConfiguration(
        leakDetection: .off, onEvent: { event in recorded.withLock { $0.append(event) } }, onMisuse: { _ in },
        onFailure: { #expect($0.error is Trouble) })
    ) { BusyRouter(interactor: BusyInteractor()) }
    try await host.perform { try $0.beBusy(EventEncoderTests.messages) }
    let failures = EventEncoderTests.messages.count
    while recorded.withLock({ $0.count { $0.kind == .taskFailed } }) < failures { await Task.yield() }
    await host.shutdown()
    return recorded.withLock { $0 }
  }

  @Test("are byte for byte the output of a JSON encoder, for events of many kinds")
  func equality() async throws {
    let events = try await events()
    #expect(Set(events.map(\.kind)).isSuperset(of: [.taskFailed, .workerStarted, .misuse, .childrenUpdated, .ended]))
    var encoder = EventEncoder()
    for (index, event) in events.enumerated() {
      for number in [index, -index, .max] {
        let recorded = RecordedEvent(tree: 3, number: number, event: event)
        var answer = InspectorAnswer(.event)
        answer.event = InspectedEvent(event, tree: 3, number: number)
        let line = encoder.line(of: recorded)
        #expect(String(decoding: line, as: UTF8.self) == String(decoding: answer.line, as: UTF8.self))
      }
    }
  }

  @Test("are encoded once for all clients, and again for other events in the same slot")
  func kept() async throws {
    let events = try await events()
    var encoder = EventEncoder()
    for round in 0..<3 {
      for (index, event) in events.prefix(10).enumerated() {
        let position = round * EventEncoder.keptLines + index
        let recorded = RecordedEvent(tree: 1, number: position, event: event)
        var (once, twice): ([UInt8], [UInt8]) = ([], [])
        encoder.append(recorded, at: position, to: &once)
        encoder.append(recorded, at: position, to: &twice)
        #expect(once == twice)
        #expect(once == encoder.line(of: recorded))
      }
    }
  }

  @Test("have messages of limited length, which say what has changed in a list")
  func short() async throws {
    let events = try await events()
    let update = try #require(events.first { $0.kind == .childrenUpdated })
    #expect(InspectedEvent.message(of: update) == "2 inserted")
    let messages = events.compactMap(InspectedEvent.message)
    #expect(messages.contains(String(repeating: "é", count: 1_000)))
    #expect(messages.contains(String(repeating: "é", count: 998) + "…"))
    #expect(messages.contains("e" + String(repeating: "\u{301}", count: 998) + "…"))
    #expect(messages.allSatisfy { $0.utf8.count <= InspectedEvent.longestMessage })
  }
}
