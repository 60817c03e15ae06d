// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RIBs

@Suite("The state of a tree")
struct TreeStateTests {
  enum State: CaseIterable {
    case running, runningWithWork, measured, ending, endingWithWork, ended, endedWithWork, endedWithTwo
  }

  enum Event: CaseIterable {
    case end, rootDidResign, workDidStart, hold, workDidEnd
  }

  @Test("changes as its table says, for each event in each state")
  func transitions() {
    var changes: [String] = []
    for state in State.allCases {
      for event in Event.allCases {
        var tree = TreeStateTests.make(state)
        // Only work that runs can end.
        guard event != .workDidEnd || tree.runningWork > 0 else { continue }
        let before = TreeStateTests.describe(tree)
        let result = TreeStateTests.apply(event, to: &tree)
        let after = TreeStateTests.describe(tree)
        if !result.isEmpty || after != before { changes.append("\(state) \(event): \(result)\(after)") }
      }
    }
    let released = "the last reference to it was released"
    let expected: [String] = [
      "running end: root resigns, ending: it was shut down, 0", "running workDidStart: counted, running, 1",
      "running hold: running, 1",
      "runningWithWork end: root resigns, ending: it was shut down, 1",
      "runningWithWork workDidStart: counted, running, 2", "runningWithWork hold: running, 2",
      "runningWithWork workDidEnd: running, 0",
      "measured end: root resigns, ending: it was shut down, 0", "measured workDidStart: counted, measured, 1",
      "measured hold: measured, 1",
      "ending rootDidResign: ended: \(released), 0", "ending workDidStart: counted, ending: \(released), 1",
      "ending hold: ending: \(released), 1",
      "endingWithWork rootDidResign: ended: \(released), 1",
      "endingWithWork workDidStart: counted, ending: \(released), 2", "endingWithWork hold: ending: \(released), 2",
      "endingWithWork workDidEnd: ending: \(released), 0",
      "ended hold: ended: \(released), 1",
      "endedWithWork hold: ended: \(released), 2", "endedWithWork workDidEnd: completes, ended: \(released), 0",
      "endedWithTwo hold: ended: \(released), 3", "endedWithTwo workDidEnd: ended: \(released), 1",
    ]
    #expect(changes == expected)
  }

  @Test("takes plain calls only while it runs and does not measure them", arguments: State.allCases)
  func calls(in state: State) {
    let tree = TreeStateTests.make(state)
    #expect(tree.takesPlainCalls == [.running, .runningWithWork].contains(state))
    #expect(tree.isRunning == [.running, .runningWithWork, .measured].contains(state))
    #expect(tree.isComplete == (state == .ended))
    #expect((tree.reason == nil) == tree.isRunning)
  }

  private static func make(_ state: State) -> TreeState {
    var tree = TreeState(measuresCalls: state == .measured)
    let work =
      switch state {
      case .running, .measured, .ending, .ended: 0
      case .runningWithWork, .endingWithWork, .endedWithWork: 1
      case .endedWithTwo: 2
      }
    for _ in 0..<work { _ = tree.workDidStart() }
    if ![.running, .runningWithWork, .measured].contains(state) { _ = tree.end(.released) }
    if [.ended, .endedWithWork, .endedWithTwo].contains(state) { tree.rootDidResign() }
    return tree
  }

  private static func apply(_ event: Event, to tree: inout TreeState) -> String {
    switch event {
    case .end: return tree.end(.shutDown) ? "root resigns, " : ""
    case .rootDidResign: tree.rootDidResign()
    case .workDidStart: return tree.workDidStart() ? "counted, " : ""
    case .hold: tree.hold()
    case .workDidEnd: return tree.workDidEnd() ? "completes, " : ""
    }
    return ""
  }

  private static func describe(_ tree: TreeState) -> String {
    let reason = tree.reason.map { "\($0)" } ?? "no reason"
    let phase =
      switch tree.phase {
      case .running(let measuresCalls): measuresCalls ? "measured" : "running"
      case .ending: "ending: \(reason)"
      case .ended: "ended: \(reason)"
      }
    return "\(phase), \(tree.runningWork)"
  }
}
