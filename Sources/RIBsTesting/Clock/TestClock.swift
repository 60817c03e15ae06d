internal import RIBs

/// A clock that stands still until a test moves it.
///
/// Hand it to whatever sleeps or measures: the services that a RIB is built with, and, through `TestTree`, the tree.
///
/// ```swift
/// let test = TestTree()
/// test.launch(RideMeterBuilder(dependency: Ride(clock: test.clock)).build())
/// test.clock.advance(by: .seconds(60))
/// ```
public final class TestClock: Clock, Sendable {
  /// A moment on a test's clock.
  public struct Instant: InstantProtocol, CustomStringConvertible {
    /// How long after the clock's beginning it is.
    public let sinceBeginning: Duration

    /// The moment that comes so much later.
    public func advanced(by duration: Duration) -> Instant { Instant(sinceBeginning: sinceBeginning + duration) }
    /// How much later another moment comes.
    public func duration(to other: Instant) -> Duration { other.sinceBeginning - sinceBeginning }
    public static func < (one: Instant, other: Instant) -> Bool { one.sinceBeginning < other.sinceBeginning }
    public var description: String { "\(sinceBeginning)" }
  }

  private struct Sleeper {
    let id: Int
    let deadline: Instant
    /// Who runs what sleeps, if that is a tree.
    let driver: Driver?
    let wakeUp: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var now = Instant(sinceBeginning: .zero)
    var lastID = 0
    /// In the order in which they wake up: by deadline, then in the order in which they fell asleep.
    var sleepers: [Sleeper] = []
    /// Who was cancelled before falling asleep.
    var cancelled: Set<Int> = []
    /// Who waits until somebody sleeps.
    var watchers: [AsyncStream<Void>.Continuation] = []
    var drivers: [Driver] = []
  }

  private let state = Locked(State())

  /// Creates a clock that stands at its beginning.
  public init() {}

  /// The time now.
  public var now: Instant { state.withLock { $0.now } }

  /// Every duration counts.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// Returns when a test has moved the clock so far; at once if the time has come already.
  ///
  /// - Throws: `CancellationError` when the sleeping task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    // A cancellation that came too late is forgotten.
    defer { state.withLock { _ = $0.cancelled.remove(id) } }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (wakeUp: CheckedContinuation<Void, any Error>) in
        let outcome = state.withLock { state -> Result<Void, any Error>? in
          if state.cancelled.remove(id) != nil { return .failure(CancellationError()) }
          if deadline <= state.now { return .success(()) }
          let place = state.sleepers.firstIndex { deadline < $0.deadline } ?? state.sleepers.endIndex
          let driver = state.drivers.first { $0.isRunning }
          state.sleepers.insert(Sleeper(id: id, deadline: deadline, driver: driver, wakeUp: wakeUp), at: place)
          return nil
        }
        if let outcome { wakeUp.resume(with: outcome) } else { tellWatchers() }
      }
    } onCancel: {
      let sleeper = state.withLock { state -> Sleeper? in
        if let index = state.sleepers.firstIndex(where: { $0.id == id }) { return state.sleepers.remove(at: index) }
        state.cancelled.insert(id)
        return nil
      }
      sleeper?.wakeUp.resume(throwing: CancellationError())
    }
  }

  /// When those who sleep will wake up, the next first.
  public var deadlines: [Instant] { state.withLock { $0.sleepers.map(\.deadline) } }

  /// Moves the time on. Whoever sleeps wakes up at its time, one after the other, and the trees with this clock do all
  /// they can do then, before the time moves further: who sleeps again meanwhile wakes up again.
  ///
  /// - Parameter duration: how far to move; zero wakes nobody, but lets the trees do what they can do.
  public func advance(by duration: Duration) {
    precondition(duration >= .zero, "Time does not run backwards: a clock was to be advanced by \(duration).")
    settle()
    let target = now.advanced(by: duration)
    while let sleeper = wakeNext(until: target) {
      sleeper.wakeUp.resume()
      settle()
    }
    state.withLock { $0.now = max($0.now, target) }
    settle()
  }

  /// Returns when somebody sleeps on this clock; at once if somebody does, or if the waiting task is cancelled.
  ///
  /// This is for a `Tree` or a `TreeHost` with this clock that no test drives, and so comes to its sleep at a time of its
  /// own. A `TestTree` has come to it when it has settled.
  public func waitForSleeper() async {
    let (watching, watcher) = AsyncStream<Void>.makeStream()
    let isAwaited = state.withLock { state in
      if state.sleepers.isEmpty { state.watchers.append(watcher) }
      return !state.sleepers.isEmpty
    }
    if !isAwaited { for await _ in watching {} }
  }

  private func tellWatchers() {
    let watchers = state.withLock { state in
      defer { state.watchers = [] }
      return state.watchers
    }
    for watcher in watchers { watcher.finish() }
  }

  private func wakeNext(until target: Instant) -> Sleeper? {
    state.withLock { state in
      guard let sleeper = state.sleepers.first, sleeper.deadline <= target else { return nil }
      state.sleepers.removeFirst()
      state.now = max(state.now, sleeper.deadline)
      return sleeper
    }
  }

  // MARK: Those who react to the time

  func add(_ driver: Driver) { state.withLock { $0.drivers.append(driver) } }

  func remove(_ driver: Driver) { state.withLock { $0.drivers.removeAll { $0 === driver } } }

  /// Sends those away who sleep in what a driver runs.
  func dismissSleepers(of driver: Driver) {
    let dismissed = state.withLock { state in
      let dismissed = state.sleepers.filter { $0.driver === driver }
      state.sleepers.removeAll { $0.driver === driver }
      return dismissed
    }
    for sleeper in dismissed { sleeper.wakeUp.resume(throwing: CancellationError()) }
  }

  private func settle() {
    let drivers = state.withLock { $0.drivers }
    // What one does may give others something to do.
    while !drivers.filter({ $0.run() }).isEmpty {}
  }
}
