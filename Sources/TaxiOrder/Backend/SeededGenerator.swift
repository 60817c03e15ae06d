/// Random numbers that are the same on every machine (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  /// - Parameters:
  ///   - seed: the seed of a whole run.
  ///   - order: the number of the order, so that each has numbers of its own, whatever ran before or beside it.
  init(seed: UInt64, order: Int) {
    state = SeededGenerator.mix(seed) ^ SeededGenerator.mix(UInt64(bitPattern: Int64(order)) &+ 0x9E37_79B9_7F4A_7C15)
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    return SeededGenerator.mix(state)
  }

  /// A number from zero up to a bound. The slight bias does no harm here, and the result depends on nothing else.
  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  /// A number from zero up to one, the same on every machine.
  mutating func fraction() -> Double { Double(next() >> 11) / Double(1 << 53) }

  private static func mix(_ value: UInt64) -> UInt64 {
    var value = value
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
