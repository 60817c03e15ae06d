// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
public import RIBs

/// A clock of real dates, for a server. Dates mean the same after a restart of the process.
public struct WallClock: OrderClock {
  /// A date of the clock.
  public struct Instant: InstantProtocol {
    fileprivate let offset: Duration

    /// The instant after a duration.
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

    /// The duration until another instant.
    public func duration(to other: Instant) -> Duration { other.offset - offset }

    /// Whether an instant is earlier than another.
    public static func < (one: Instant, other: Instant) -> Bool { one.offset < other.offset }
  }

  private let speed: Int

  /// Creates a clock.
  ///
  /// - Parameter speed: how many seconds of an order pass in a second, from 1 to 1,000. Use more than 1 for tests, in
  ///   all processes that restore the same orders.
  public init(speed: Int = 1) { self.speed = min(max(speed, 1), 1_000) }

  /// The current instant.
  public var now: Instant {
    Instant(offset: .milliseconds(Int(Date().timeIntervalSince1970 * 1_000 * Double(speed))))
  }

  /// The current date.
  public var time: OrderTime { OrderTime(now.offset) }

  /// When a date comes by the clock of the system, also if this clock is faster.
  ///
  /// - Parameter time: a date of this clock.
  public func wallTime(of time: OrderTime) -> WallTime { WallTime(microsecondsSince1970: 0) + time.offset / speed }

  /// The resolution of dates.
  public var minimumResolution: Duration { .milliseconds(1) }

  /// Sleeps until a date.
  public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try await Task.sleep(for: max(.zero, now.duration(to: deadline)) / speed)
  }
}
