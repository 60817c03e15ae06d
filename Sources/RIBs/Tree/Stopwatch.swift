#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#endif

/// Tells the time since now on the usual clock, which is read with every RIB that becomes active: on Linux, twice as fast
/// as by the standard library.
func stopwatch() -> () -> Duration {
  #if os(Linux) || os(Android)
    let start = nanoseconds()
    return { .nanoseconds(nanoseconds() &- start) }
  #else
    return watch(on: ContinuousClock())()
  #endif
}

#if os(Linux) || os(Android)
  /// The time that a `ContinuousClock` reads.
  private func nanoseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
#endif

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
