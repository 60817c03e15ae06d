// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

public import RIBs

/// A date on the clock of an order, in milliseconds since the clock's beginning.
///
/// States contain dates instead of remaining durations, because a process may be down for any time before it restores
/// them.
public struct OrderTime: Hashable, Codable, Sendable, Comparable {
  /// The beginning of the clock.
  package static let zero = OrderTime(.zero)

  private let milliseconds: Int

  /// Creates a date.
  ///
  /// - Parameter offset: the time since the clock's beginning.
  public init(_ offset: Duration) { self.init(milliseconds: offset.milliseconds) }

  package init(milliseconds: Int) { self.milliseconds = milliseconds }

  /// Decodes a date.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    milliseconds = try container.decode(Int.self)
    // So that no calculation overflows, whatever a document says.
    guard (0...Int(UInt32.max) * 1_000_000).contains(milliseconds) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(milliseconds) is not a time.")
    }
  }

  /// Encodes the date.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(milliseconds)
  }

  /// The time since the clock's beginning.
  public var offset: Duration { .milliseconds(milliseconds) }

  /// Whether a date is earlier than another.
  public static func < (one: OrderTime, other: OrderTime) -> Bool { one.milliseconds < other.milliseconds }
  package static func + (time: OrderTime, duration: Duration) -> OrderTime {
    OrderTime(milliseconds: time.milliseconds + duration.milliseconds)
  }
  package static func - (end: OrderTime, start: OrderTime) -> Duration {
    .milliseconds(end.milliseconds - start.milliseconds)
  }
}

/// A clock with dates that mean the same in each process.
public protocol OrderClock: Clock<Duration> {
  /// The current date.
  var time: OrderTime { get }

  /// When a date comes by the wall clock of the trees, so that they can sleep until it. By default, the clock begins in 1970.
  ///
  /// - Parameter time: a date of this clock.
  func wallTime(of time: OrderTime) -> WallTime
}

extension OrderClock {
  /// The wall time as long after 1970 as the date is after the beginning of the clock.
  ///
  /// - Parameter time: a date of this clock.
  public func wallTime(of time: OrderTime) -> WallTime { WallTime(microsecondsSince1970: 0) + time.offset }

  /// Sleeps until a date; returns soon if it has passed.
  package func sleep(until time: OrderTime) async throws { try await sleep(for: max(.zero, time - self.time)) }
}
