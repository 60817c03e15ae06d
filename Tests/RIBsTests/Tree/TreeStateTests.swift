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

  /// What each event returns, and the state after it. Without an entry, it returns nothing to do, and changes nothing.
  private static let transitions: [State: [Event: (result: String, next: String)]] = [
    .running: [
      .end: ("root resigns", "ending: it was shut down, 0"), .workDidStart: ("counted", "running, 1"),
      .hold: ("", "running, 1"),
    ],
    .runningWithWork: [
      .end: ("root resigns", "ending: it was shut down, 1"), .workDidStart: ("counted", "running, 2"),
      .hold: ("", "running, 2"), .workDidEnd: ("", "running, 0"),
    ],
    .measured: [
      .end: ("root resigns", "ending: it was shut down, 0"), .workDidStart: ("counted", "measured, 1"),
      .hold: ("", "measured, 1"),
    ],
    .ending: [
      .rootDidResign: ("", "ended: the last reference to it was released, 0"),
      .workDidStart: ("counted", "ending: the last reference to it was released, 1"),
      .hold: ("", "ending: the last reference to it was released, 1"),
    ],
    .endingWithWork: [
      .rootDidResign: ("", "ended: the last reference to it was released, 1"),
      .workDidStart: ("counted", "ending: the last reference to it was released, 2"),
      .hold: ("", "ending: the last reference to it was released, 2"),
      .workDidEnd: ("", "ending: the last reference to it was released, 0"),
    ],
    .ended: [.hold: ("", "ended: the last reference to it was released, 1")],
    .endedWithWork: [
      .hold: ("", "ended: the last reference to it was released, 2"),
      .workDidEnd: ("completes", "ended: the last reference to it was released, 0"),
    ],
    .endedWithTwo: [
      .hold: ("", "ended: the last reference to it was released, 3"),
      .workDidEnd: ("", "ended: the last reference to it was released, 1"),
    ],
  ]

  @Test("changes as its table says, for each event in each state", arguments: State.allCases, Event.allCases)
  func transitions(from state: State, on event: Event) {
    var tree = TreeStateTests.make(state)
    // Only work that runs can end.
    guard event != .workDidEnd || tree.runningWork > 0 else { return }
    let before = TreeStateTests.describe(tree)
    let result = TreeStateTests.apply(event, to: &tree)
    let expected = TreeStateTests.transitions[state]?[event] ?? ("", before)
    #expect(result == expected.result)
    #expect(TreeStateTests.describe(tree) == expected.next)
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
    switch state {
    case .runningWithWork, .endingWithWork, .endedWithWork: _ = tree.workDidStart()
    case .endedWithTwo: for _ in 0..<2 { _ = tree.workDidStart() }
    case .running, .measured, .ending, .ended: break
    }
    switch state {
    case .running, .runningWithWork, .measured: return tree
    case .ending, .endingWithWork, .ended, .endedWithWork, .endedWithTwo: _ = tree.end(.released)
    }
    switch state {
    case .running, .runningWithWork, .measured, .ending, .endingWithWork: break
    case .ended, .endedWithWork, .endedWithTwo: tree.rootDidResign()
    }
    return tree
  }

  private static func apply(_ event: Event, to tree: inout TreeState) -> String {
    switch event {
    case .end: return tree.end(.shutDown) ? "root resigns" : ""
    case .rootDidResign: tree.rootDidResign()
    case .workDidStart: return tree.workDidStart() ? "counted" : ""
    case .hold: tree.hold()
    case .workDidEnd: return tree.workDidEnd() ? "completes" : ""
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
