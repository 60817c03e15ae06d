/// An amount of money, in whole cents.
package struct Cents: Hashable, Sendable, Comparable, CustomStringConvertible {
  let count: Int

  init(_ count: Int) { self.count = count }

  package static func < (one: Cents, other: Cents) -> Bool { one.count < other.count }

  /// Dollars and cents: `12.95`.
  package var description: String { FixedPoint.text(Int128(count), decimals: 2) }
}
