import RIBs

/// A clock that stands still until a test moves it.
final class ManualClock: Clock, Sendable {
  struct Instant: InstantProtocol {
    var offset = Duration.zero

    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (one: Instant, other: Instant) -> Bool { one.offset < other.offset }
  }

  private typealias Watcher = CheckedContinuation<Void, Never>

  private struct State {
    var now = Instant()
    var lastID = 0
    var sleepers: [Int: (deadline: Instant, wakeUp: CheckedContinuation<Void, any Error>)] = [:]
    var cancelled: Set<Int> = []
    var watchers: [Watcher] = []
  }

  private let state = Locked(State())

  var now: Instant { state.withLock { $0.now } }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (wakeUp: CheckedContinuation<Void, any Error>) in
        let (result, watchers) = state.withLock { state -> (Result<Void, any Error>?, [Watcher]) in
          if state.cancelled.remove(id) != nil { return (.failure(CancellationError()), []) }
          if deadline <= state.now { return (.success(()), []) }
          state.sleepers[id] = (deadline, wakeUp)
          defer { state.watchers = [] }
          return (nil, state.watchers)
        }
        if let result { wakeUp.resume(with: result) }
        for watcher in watchers { watcher.resume() }
      }
    } onCancel: {
      let sleeper = state.withLock { state in
        let sleeper = state.sleepers.removeValue(forKey: id)
        if sleeper == nil { state.cancelled.insert(id) }
        return sleeper
      }
      sleeper?.wakeUp.resume(throwing: CancellationError())
    }
  }

  /// Moves the time on, and wakes those whose time has come.
  func advance(by duration: Duration) {
    let due = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let due = state.sleepers.filter { $0.value.deadline <= state.now }
      for id in due.keys { state.sleepers[id] = nil }
      return due.values
    }
    for sleeper in due { sleeper.wakeUp.resume() }
  }

  /// Whether somebody sleeps on this clock.
  var isAwaited: Bool { state.withLock { !$0.sleepers.isEmpty } }

  /// How many sleep on this clock.
  var sleeperCount: Int { state.withLock { $0.sleepers.count } }

  /// Returns when somebody sleeps on this clock.
  func waitForSleeper() async {
    await withCheckedContinuation { watcher in
      let isAwaited = state.withLock { state in
        if state.sleepers.isEmpty { state.watchers.append(watcher) }
        return state.sleepers.isEmpty
      }
      if !isAwaited { watcher.resume() }
    }
  }
}
