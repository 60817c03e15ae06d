/// The length of a ride, in millionths of a mile.
struct Distance: Hashable, Sendable, CustomStringConvertible {
  /// The number of decimals of a mile.
  static let decimals = 6

  let micromiles: Int

  init(micromiles: Int) { self.micromiles = micromiles }

  /// The distance in meters, limited to a million miles.
  var metres: Int { min(micromiles, 1_000_000_000_000) / 1000 * 1609 / 1000 }

  /// Miles to two decimals: `1.60 mi`.
  var description: String { FixedPoint.text(Int128(micromiles / 10_000), decimals: 2) + " mi" }
}
