/// An amount of money, in whole cents.
struct Cents: Hashable, Sendable, Comparable, CustomStringConvertible {
  let count: Int

  init(_ count: Int) { self.count = count }

  static func < (one: Cents, other: Cents) -> Bool { one.count < other.count }

  /// Dollars and cents: `12.95`.
  var description: String { FixedPoint.text(Int128(count), decimals: 2) }
}
