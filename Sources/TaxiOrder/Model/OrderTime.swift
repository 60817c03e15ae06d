/// A date on the clock of an order, in milliseconds since the clock's beginning.
///
/// States contain dates instead of remaining durations, because a process may be down for any time before it restores
/// them.
struct OrderTime: Hashable, Codable, Sendable, Comparable {
  /// The beginning of the clock.
  static let zero = OrderTime(.zero)

  private let milliseconds: Int

  /// - Parameter offset: the time since the clock's beginning.
  init(_ offset: Duration) { milliseconds = offset.milliseconds }

  init(from decoder: any Decoder) throws { milliseconds = try decoder.singleValueContainer().decode(Int.self) }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(milliseconds)
  }

  /// The time since the clock's beginning.
  var offset: Duration { .milliseconds(milliseconds) }

  static func < (one: OrderTime, other: OrderTime) -> Bool { one.milliseconds < other.milliseconds }
  static func + (time: OrderTime, duration: Duration) -> OrderTime { OrderTime(time.offset + duration) }
  static func - (end: OrderTime, start: OrderTime) -> Duration { end.offset - start.offset }
}

/// A clock with dates that mean the same in each process.
protocol OrderClock: Clock<Duration> {
  /// The current date.
  var time: OrderTime { get }
}

extension OrderClock {
  /// Sleeps until a date; returns soon if it has passed.
  func sleep(until time: OrderTime) async throws { try await sleep(for: max(.zero, time - self.time)) }
}
