// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

public import RIBs

/// A virtual clock that moves only when a test advances it.
///
/// Pass it to all code that sleeps or measures time: the services that a RIB is built with and, through `TestTree`,
/// the tree.
///
/// ```swift
/// let test = TestTree()
/// test.launch(RideMeterBuilder(dependency: Ride(clock: test.clock)).build())
/// test.clock.advance(by: .seconds(60))
/// ```
///
/// It has a wall clock, which moves with it from a fixed time on, and which a test can set, forward and back.
public final class TestClock: Clock, Sendable {
  /// An instant of a test clock.
  public struct Instant: InstantProtocol, CustomStringConvertible {
    /// The time since the start of the clock.
    public let sinceBeginning: Duration

    /// The instant that is `duration` later, or the last one there is.
    public func advanced(by duration: Duration) -> Instant {
      Instant(sinceBeginning: sinceBeginning.addingSaturated(duration))
    }
    /// The time from this instant to another, or the longest one there is.
    public func duration(to other: Instant) -> Duration { other.sinceBeginning.subtractingSaturated(sinceBeginning) }
    public static func < (one: Instant, other: Instant) -> Bool { one.sinceBeginning < other.sinceBeginning }
    public var description: String { "\(sinceBeginning)" }
  }

  private struct Sleeper {
    let id: Int
    let deadline: Instant
    /// The driver whose job sleeps; nil if the sleeper runs outside all drivers.
    let driver: Driver?
    let wakeUp: CheckedContinuation<Void, any Error>
    /// Whether it waits for a wall time, and has to wait anew when that is set.
    let isOnWall: Bool
  }

  /// What a sleeper waits for.
  private enum End {
    case instant(Instant)
    case wallTime(WallTime)
  }

  private struct State {
    var now = Instant(sinceBeginning: .zero)
    /// The wall time at the beginning, as it was set last.
    var wallBeginning: WallTime
    var lastID = 0
    /// In wake-up order: by deadline, then by start of the sleep.
    var sleepers: [Sleeper] = []
    /// The ids cancelled before their sleep was registered.
    var cancelled: Set<Int> = []
    /// Resumed when a sleeper is added.
    var watchers: [AsyncStream<Void>.Continuation] = []
    var drivers: [Driver] = []

    var wallTime: WallTime { wallBeginning.advanced(by: now.sinceBeginning) }

    /// The instant of an end, by the wall clock as it is set now.
    func deadline(of end: End) -> Instant {
      switch end {
      case .instant(let instant): instant
      case .wallTime(let time): now.advanced(by: time - wallTime)
      }
    }
  }

  private let state: Locked<State>

  /// The wall time at which test clocks begin: 2026-01-01T00:00:00Z.
  public static let beginning = WallTime(microsecondsSince1970: 1_767_225_600_000_000)

  /// Creates a clock at time zero.
  ///
  /// - Parameter wallTime: the wall time at time zero. Defaults to 2026-01-01T00:00:00Z.
  public init(wallTime: WallTime = TestClock.beginning) { state = Locked(State(wallBeginning: wallTime)) }

  /// The current time.
  public var now: Instant { state.withLock { $0.now } }

  /// The present wall time, which moves with the clock.
  ///
  /// Set it as the clock of a machine is set, forward or back. Work that sleeps until a wall time whose time has come then
  /// wakes, and the trees with this clock run until they are idle. The clock itself does not move.
  public var wallTime: WallTime {
    get { state.withLock { $0.wallTime } }
    set {
      settle()
      let affected = state.withLock { state in
        state.wallBeginning = newValue - state.now.sinceBeginning
        let affected = state.sleepers.filter(\.isOnWall)
        state.sleepers.removeAll(where: \.isOnWall)
        return affected
      }
      for sleeper in affected { sleeper.wakeUp.resume() }
      settle()
    }
  }

  /// The wall clock of trees with this clock, for `TreeConfiguration.wallClock`. A `TestTree` has it.
  public var wallClock: WallTime.Clock {
    WallTime.Clock(
      now: { self.wallTime },
      sleep: { time in
        // Setting the wall time resumes all sleepers.
        while self.wallTime < time { try await self.sleep(until: .wallTime(time)) }
      })
  }

  /// One nanosecond.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// Sleeps until a test has advanced the clock to `deadline`. Returns at once if the deadline has passed.
  ///
  /// - Throws: `CancellationError` when the sleeping task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try await sleep(until: .instant(deadline))
  }

  private func sleep(until end: End) async throws {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    // Discard a cancellation that came too late.
    defer { state.withLock { _ = $0.cancelled.remove(id) } }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (wakeUp: CheckedContinuation<Void, any Error>) in
        let outcome = state.withLock { state -> Result<Void, any Error>? in
          if state.cancelled.remove(id) != nil { return .failure(CancellationError()) }
          let deadline = state.deadline(of: end)
          if deadline <= state.now { return .success(()) }
          let place = state.sleepers.firstIndex { deadline < $0.deadline } ?? state.sleepers.endIndex
          let driver = state.drivers.first { $0.isRunning }
          let isOnWall = if case .wallTime = end { true } else { false }
          state.sleepers.insert(
            Sleeper(id: id, deadline: deadline, driver: driver, wakeUp: wakeUp, isOnWall: isOnWall), at: place)
          return nil
        }
        if let outcome { wakeUp.resume(with: outcome) } else { resumeWatchers() }
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

  /// The deadlines of all sleepers, earliest first.
  public var deadlines: [Instant] { state.withLock { $0.sleepers.map(\.deadline) } }

  /// Moves the clock forward.
  ///
  /// Sleepers wake up one at a time, each at its deadline. After each, the trees with this clock run until they are
  /// idle before the clock moves on, so a task that sleeps again within the duration wakes up again.
  ///
  /// - Parameters:
  ///   - duration: how far to move. Zero lets the trees run without moving the clock. A negative one fails the test.
  ///   - fileID: Defaults to the call site.
  ///   - filePath: Defaults to the call site.
  ///   - line: Defaults to the call site.
  ///   - column: Defaults to the call site.
  public func advance(
    by duration: Duration, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    guard duration >= .zero else {
      return FailureReporting.report(
        "The test clock was not moved: advance(by:) was called with \(duration).",
        advice: "Pass a duration of zero or more; a clock can't move backwards.",
        at: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column))
    }
    settle()
    let target = now.advanced(by: duration)
    while let sleeper = wakeNext(until: target) {
      sleeper.wakeUp.resume()
      settle()
    }
    state.withLock { $0.now = max($0.now, target) }
    settle()
  }

  /// Returns when a task sleeps on this clock; at once if one does already, or if the waiting task is cancelled.
  ///
  /// Use it with a `Tree` or a `TreeHost` that runs on its own, not driven by the test. A `TestTree` is already
  /// asleep when it has settled.
  public func waitForSleeper() async {
    let (watching, watcher) = AsyncStream<Void>.makeStream()
    let isAwaited = state.withLock { state in
      if state.sleepers.isEmpty { state.watchers.append(watcher) }
      return !state.sleepers.isEmpty
    }
    if !isAwaited { for await _ in watching {} }
  }

  private func resumeWatchers() {
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

  // MARK: Drivers

  func add(_ driver: Driver) { state.withLock { $0.drivers.append(driver) } }

  func remove(_ driver: Driver) { state.withLock { $0.drivers.removeAll { $0 === driver } } }

  /// Whether a driver is running a job on the calling thread.
  var isDriving: Bool { state.withLock { $0.drivers.contains { $0.isRunning } } }

  /// Ends the sleeps of jobs that a driver runs, with an error or as if their time had come.
  func resumeSleepers(of driver: Driver, throwing error: CancellationError?) {
    let resumed = state.withLock { state in
      let resumed = state.sleepers.filter { $0.driver === driver }
      state.sleepers.removeAll { $0.driver === driver }
      return resumed
    }
    for sleeper in resumed { sleeper.wakeUp.resume(with: error.map { .failure($0) } ?? .success(())) }
  }

  private func settle() {
    let drivers = state.withLock { $0.drivers }
    var rounds = 0
    // One driver's jobs may enqueue jobs of another.
    while !drivers.filter({ $0.run(after: rounds) }).isEmpty { rounds += 1 }
  }
}
