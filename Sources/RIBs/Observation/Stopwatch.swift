#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#endif

/// Tells the time since it was made.
///
/// The usual clock is read with every RIB that becomes active: on Linux without a call of a closure, and twice as fast as
/// by the standard library.
package struct Stopwatch {
  #if os(Linux) || os(Android)
    private let start = Stopwatch.nanoseconds(on: CLOCK_MONOTONIC)
  #endif
  /// The time since it was made, if that is on another clock.
  private let other: (() -> Duration)?

  /// On the usual clock, a `SuspendingClock`.
  init() {
    #if os(Linux) || os(Android)
      other = nil
    #else
      other = watch(on: SuspendingClock())()
    #endif
  }

  /// - Parameter clock: begins to tell the time on it.
  init(on clock: () -> () -> Duration) { other = clock() }

  package func callAsFunction() -> Duration {
    #if os(Linux) || os(Android)
      if let other { return other() }
      return .nanoseconds(Stopwatch.nanoseconds(on: CLOCK_MONOTONIC) &- start)
    #else
      return other?() ?? .zero
    #endif
  }

  /// The time of the system's last tick, some milliseconds ago, in a third of the time that it takes to tell the exact one.
  /// On a clock that knows no ticks, the exact one.
  func lastTick() -> Duration {
    #if os(Linux) || os(Android)
      guard other == nil else { return self() }
      return .nanoseconds(max(0, Stopwatch.nanoseconds(on: CLOCK_MONOTONIC_COARSE) &- start))
    #else
      return self()
    #endif
  }

  #if os(Linux) || os(Android)
    /// The time on a clock of the system: `CLOCK_MONOTONIC` is what a `SuspendingClock` reads.
    @inline(__always)
    private static func nanoseconds(on clock: clockid_t) -> Int64 {
      var time = timespec()
      clock_gettime(clock, &time)
      return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
  #endif
}

/// Begins to tell the time on a clock of any kind, each time that it is called.
@inlinable
func watch<C: Clock<Duration>>(on clock: C) -> @Sendable () -> () -> Duration {
  { stopwatch(on: clock, since: clock.now) }
}

/// - Parameter start: of a type that has a name here: otherwise it is looked up each time that the clock is read.
@inlinable
func stopwatch<C: Clock<Duration>, Instant>(on clock: C, since start: Instant) -> () -> Duration
where C.Instant == Instant {
  { start.duration(to: clock.now) }
}
