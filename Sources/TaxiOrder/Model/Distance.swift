/// How far a ride goes, in millionths of a mile.
struct Distance: Hashable, Sendable, CustomStringConvertible {
  /// How many decimals of a mile are kept.
  static let decimals = 6

  let micromiles: Int

  init(micromiles: Int) { self.micromiles = micromiles }

  /// The distance in metres, cut off at a million miles.
  var metres: Int { min(micromiles, 1_000_000_000_000) / 1000 * 1609 / 1000 }

  /// Miles to two decimals: `1.60 mi`.
  var description: String { FixedPoint.text(Int128(micromiles / 10_000), decimals: 2) + " mi" }
}
