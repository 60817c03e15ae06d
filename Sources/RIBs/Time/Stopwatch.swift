// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#endif

/// Measures the time since its creation.
///
/// A clock of the system is read for every RIB that becomes active, and for calls by key. On Linux this takes no closure
/// call, and half the time that the standard library needs.
package struct Stopwatch: Sendable {
  private enum Source: Sendable {
    /// Only on Linux and Android.
    case system(clockid_t, since: Int64)
    case other(@Sendable () -> Duration)
  }

  private let source: Source

  /// - Parameter clock: the clock. A `SuspendingClock` and a `ContinuousClock` are read from the system.
  package init<C: Clock<Duration>>(on clock: C) {
    #if os(Linux) || os(Android)
      // The types are compared, because a failing cast takes much longer.
      if C.self == SuspendingClock.self || C.self == ContinuousClock.self {
        let systemClock = C.self == SuspendingClock.self ? CLOCK_MONOTONIC : CLOCK_BOOTTIME
        source = .system(systemClock, since: Stopwatch.nanoseconds(on: systemClock))
        return
      }
    #endif
    source = .other(stopwatch(on: clock, since: clock.now))
  }

  package func callAsFunction() -> Duration {
    switch source {
    case .system(let clock, let start): .nanoseconds(Stopwatch.nanoseconds(on: clock) &- start)
    case .other(let elapsed): elapsed()
    }
  }

  /// The elapsed time in nanoseconds.
  package func inNanoseconds() -> Int64 {
    switch source {
    case .system(let clock, let start): Stopwatch.nanoseconds(on: clock) &- start
    case .other(let elapsed): elapsed().wholeNanoseconds
    }
  }

  /// The time of the system's last tick in nanoseconds, some milliseconds ago, which takes a third of the time of an exact
  /// reading. The exact time on a clock without ticks.
  func lastTick() -> Int64 {
    #if os(Linux) || os(Android)
      if case .system(CLOCK_MONOTONIC, let start) = source {
        return max(0, Stopwatch.nanoseconds(on: CLOCK_MONOTONIC_COARSE) &- start)
      }
    #endif
    return inNanoseconds()
  }

  /// The time of the system's real-time clock, which may be set.
  static func nanosecondsSince1970() -> Int64 { nanoseconds(on: CLOCK_REALTIME) }

  /// Reads a clock of the system. A `SuspendingClock` reads `CLOCK_MONOTONIC`, and a `ContinuousClock` `CLOCK_BOOTTIME`.
  @inline(__always)
  private static func nanoseconds(on clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}

/// Creates a stopwatch on a clock.
///
/// - Parameter start: the start. `Instant` is a generic parameter because an unnamed type would be looked up on every
///   reading.
func stopwatch<C: Clock<Duration>, Instant>(on clock: C, since start: Instant) -> @Sendable () -> Duration
where C.Instant == Instant {
  { start.duration(to: clock.now) }
}

extension Clock where Duration == Swift.Duration {
  /// Waits until a duration has passed, a hundred years at most, even if the `sleep` of this clock throws.
  ///
  /// A timeout must neither expire early nor never because a clock fails. So the `ContinuousClock` takes the place of a
  /// clock whose `sleep` throws although the calling task was not cancelled.
  ///
  /// - Throws: `CancellationError` if the calling task is cancelled.
  nonisolated(nonsending) package func wait(for duration: Duration) async throws {
    if let timer = DeadlineTimer.timer(of: self) { return try await timer.wait(for: duration) }
    do {
      try await sleep(for: duration.boundedTimeout)
    } catch {
      try Task.checkCancellation()
      try await DeadlineTimer.continuous.wait(for: duration)
    }
  }
}
