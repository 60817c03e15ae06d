// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RIBs

@Suite("The state of bound work")
struct TaskStateTests {
  enum State: CaseIterable {
    case created, queued, scheduled, running, cancelled, timedOut, ended
  }

  enum Event: CaseIterable {
    case queue, schedule, begin, cancel, cancelLater, timeOut, timeOutLater, end, fail
  }

  /// What each event returns, and the state after it. Without an entry, it returns nothing to do, and changes nothing.
  /// `cancelLater` and `timeOutLater` are for work whose first step ends it.
  private static let transitions: [State: [Event: (result: String, next: State)]] = [
    .created: [
      .queue: ("", .queued), .schedule: ("", .scheduled), .cancel: ("end", .created), .cancelLater: ("end", .created),
      .timeOut: ("end", .created), .timeOutLater: ("end", .created), .end: ("cancelled(nil)", .ended),
      .fail: ("cancelled(Optional(Failure))", .ended),
    ],
    .queued: [
      .schedule: ("", .scheduled), .cancel: ("end", .queued), .cancelLater: ("end", .queued),
      .timeOut: ("end", .queued), .timeOutLater: ("end", .queued), .end: ("cancelled(nil)", .ended),
      .fail: ("cancelled(Optional(Failure))", .ended),
    ],
    .scheduled: [
      .begin: ("true", .running), .cancel: ("end", .scheduled), .cancelLater: ("cancelTask", .cancelled),
      .timeOut: ("end", .timedOut), .timeOutLater: ("cancelTask", .timedOut), .end: ("cancelled(nil)", .ended),
      .fail: ("cancelled(Optional(Failure))", .ended),
    ],
    .running: [
      .cancel: ("cancelTask", .cancelled), .cancelLater: ("cancelTask", .cancelled),
      .timeOut: ("cancelTask", .timedOut), .timeOutLater: ("cancelTask", .timedOut), .end: ("success", .ended),
      .fail: ("failure(Failure)", .ended),
    ],
    .cancelled: [.end: ("cancelled(nil)", .ended), .fail: ("cancelled(Optional(Failure))", .ended)],
    .timedOut: [.end: ("timedOut", .ended), .fail: ("timedOut", .ended)],
  ]

  @Test("changes as its table says, for each event in each state", arguments: State.allCases, Event.allCases)
  func transitions(from state: State, on event: Event) {
    var work = TaskStateTests.make(state)
    let result = TaskStateTests.apply(event, to: &work)
    let expected = TaskStateTests.transitions[state]?[event] ?? ("", state)
    #expect(result == expected.result)
    #expect(TaskStateTests.state(of: work) == expected.next)
  }

  @Test(
    "keeps the first reason for a cancellation, unless the program cancels work that has timed out",
    arguments: [.scopeEnded, .superseded, .requested, .timedOut] as [TaskState.Cancellation],
    [.scopeEnded, .superseded, .requested, .timedOut] as [TaskState.Cancellation])
  func reasons(first: TaskState.Cancellation, second: TaskState.Cancellation) {
    var work = TaskStateTests.make(.running)
    _ = work.cancel(first, endsUnbegun: true)
    _ = work.cancel(second, endsUnbegun: true)
    #expect(work.cancellation == (first == .timedOut && second == .requested ? .requested : first))
  }

  private static func make(_ state: State) -> TaskState {
    var work = TaskState()
    switch state {
    case .created: break
    case .queued: work.queue()
    case .scheduled: work.schedule()
    case .running:
      work.schedule()
      _ = work.begin()
    case .cancelled, .timedOut:
      work.schedule()
      _ = work.begin()
      _ = work.cancel(state == .timedOut ? .timedOut : .scopeEnded, endsUnbegun: true)
    case .ended: _ = work.end(throwing: nil)
    }
    return work
  }

  private static func apply(_ event: Event, to work: inout TaskState) -> String {
    let result =
      switch event {
      case .queue: "\(work.queue())"
      case .schedule: "\(work.schedule())"
      case .begin: "\(work.begin())"
      case .cancel: "\(work.cancel(.scopeEnded, endsUnbegun: true))"
      case .cancelLater: "\(work.cancel(.scopeEnded, endsUnbegun: false))"
      case .timeOut: "\(work.cancel(.timedOut, endsUnbegun: true))"
      case .timeOutLater: "\(work.cancel(.timedOut, endsUnbegun: false))"
      case .end: work.end(throwing: nil).map { "\($0)" } ?? "nothing"
      case .fail: work.end(throwing: Failure()).map { "\($0)" } ?? "nothing"
      }
    return ["nothing", "()", "false"].contains(result) ? "" : result
  }

  /// The state, found with copies where it has no property.
  private static func state(of work: TaskState) -> State {
    if work.hasEnded { return .ended }
    if work.isQueued { return .queued }
    if let reason = work.cancellation { return reason == .timedOut ? .timedOut : .cancelled }
    var copy = work
    if copy.begin() { return .scheduled }
    copy = work
    if case .success = copy.end(throwing: nil) { return .running }
    return .created
  }
}

@Suite("The state of a workflow's chain")
struct ChainStateTests {
  enum Event: CaseIterable {
    case enter, wait, exceed, lose
  }

  private static let states: [ChainState] = [.working, .waiting, .timedOut(after: .seconds(1)), .lost]

  /// All transitions. Without an entry, nothing changes.
  private static let transitions: [ChainState: [Event: ChainState]] = [
    .working: [.wait: .waiting, .exceed: .timedOut(after: .seconds(2)), .lose: .lost],
    .waiting: [.enter: .working, .lose: .lost],
    .timedOut(after: .seconds(1)): [.lose: .lost],
  ]

  @Test("changes as its table says, for each event in each state", arguments: states, Event.allCases)
  func transitions(from state: ChainState, on event: Event) {
    var chain = state
    switch event {
    case .enter: chain.enter()
    case .wait: chain.wait()
    case .exceed: chain.exceed(.seconds(2))
    case .lose: chain.lose()
    }
    #expect(chain == ChainStateTests.transitions[state]?[event] ?? state)
  }

  @Test("begins in the scope of an active item, and waits for an inactive one unless the scope has ended")
  func initial() {
    #expect(ChainState(isReady: true, scopeHasEnded: false) == .working)
    #expect(ChainState(isReady: true, scopeHasEnded: true) == .working)
    #expect(ChainState(isReady: false, scopeHasEnded: false) == .waiting)
    #expect(ChainState(isReady: false, scopeHasEnded: true) == .lost)
  }

  @Test("fails with the time limit that was exceeded, or because the item has resigned")
  func failures() {
    let path = TreePath()
    #expect(ChainState.working.failure(at: path) == nil)
    #expect(ChainState.waiting.failure(at: path) == nil)
    #expect(ChainState.timedOut(after: .seconds(1)).failure(at: path) == .stepTimedOut(path, after: .seconds(1)))
    #expect(ChainState.lost.failure(at: path) == .itemResigned(path))
  }
}
