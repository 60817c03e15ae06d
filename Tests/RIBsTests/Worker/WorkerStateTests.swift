// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RIBs

@Suite("The state of a worker")
struct WorkerStateTests {
  typealias Phase = WorkerState.Phase

  struct State: Hashable, CaseIterable {
    let phase: String
    let isStarted: Bool

    static let phases: [String: Phase] = [
      "idle": .idle, "beginning": .beginning, "running": .running, "stopping": .stopping(beginsAgain: false),
      "stopping, begins again": .stopping(beginsAgain: true),
    ]

    static var allCases: [State] {
      phases.keys.sorted().flatMap { phase in [true, false].map { State(phase: phase, isStarted: $0) } }
    }
  }

  enum Event: CaseIterable {
    case begin, didBegin, halt, didHalt
  }

  /// What each event returns, the phase after it, and whether the epoch changes. Without an entry, it returns nothing to
  /// do, and changes nothing.
  private static let transitions: [String: [Event: (result: String, next: String, isNew: Bool)]] = [
    "idle": [.begin: ("true", "beginning", true)],
    "beginning": [
      .didBegin: ("", "running", false), .halt: ("Optional(false)", "stopping", true),
    ],
    "running": [.halt: ("Optional(true)", "stopping", true)],
    "stopping": [.begin: ("", "stopping, begins again", false), .didHalt: ("", "idle", false)],
    "stopping, begins again": [.halt: ("", "stopping", false), .didHalt: ("true", "idle", false)],
  ]

  @Test("changes as its table says, for each event in each state", arguments: State.allCases, Event.allCases)
  func transitions(from state: State, on event: Event) {
    var worker = WorkerStateTests.make(state)
    #expect(worker.phase == State.phases[state.phase])
    let epoch = worker.epoch
    let result = WorkerStateTests.apply(event, to: &worker)
    var expected = WorkerStateTests.transitions[state.phase]?[event] ?? ("", state.phase, false)
    // A worker that is not started begins no run.
    if state.phase == "idle", !state.isStarted { expected = ("", "idle", false) }
    #expect(result == expected.result)
    #expect(worker.phase == State.phases[expected.next])
    #expect((worker.epoch != epoch) == expected.isNew)
    #expect(worker.isStarted == state.isStarted)
  }

  @Test("is started and stopped without a change of its run", arguments: State.allCases)
  func starts(in state: State) {
    var worker = WorkerStateTests.make(state)
    let epoch = worker.epoch
    worker.start()
    #expect(worker.isStarted)
    worker.stop()
    #expect(!worker.isStarted)
    #expect(worker.phase == State.phases[state.phase])
    #expect(worker.epoch == epoch + 2)
    #expect(worker.isRunning == ["beginning", "running"].contains(state.phase))
    #expect(worker.isIdle == (state.phase == "idle"))
  }

  private static func make(_ state: State) -> WorkerState {
    var worker = WorkerState()
    worker.start()
    if state.phase != "idle" { _ = worker.begin() }
    if state.phase == "running" { worker.didBegin() }
    if state.phase.hasPrefix("stopping") { _ = worker.halt() }
    if state.phase == "stopping, begins again" { _ = worker.begin() }
    if !state.isStarted { worker.stop() }
    return worker
  }

  private static func apply(_ event: Event, to worker: inout WorkerState) -> String {
    let result =
      switch event {
      case .begin: "\(worker.begin())"
      case .didBegin: "\(worker.didBegin())"
      case .halt: "\(String(describing: worker.halt()))"
      case .didHalt: "\(worker.didHalt())"
      }
    return ["nil", "()", "false"].contains(result) ? "" : result
  }
}
