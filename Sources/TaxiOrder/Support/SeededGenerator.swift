// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// A deterministic random number generator (SplitMix64).
package struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  /// - Parameters:
  ///   - seed: the seed of a whole run.
  ///   - order: the number of the order. Each order has its own sequence, whatever runs before or concurrently.
  package init(seed: UInt64, order: Int) {
    state = SeededGenerator.mix(seed) ^ SeededGenerator.mix(UInt64(bitPattern: Int64(order)) &+ 0x9E37_79B9_7F4A_7C15)
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    return SeededGenerator.mix(state)
  }

  /// A number in `0..<bound`. The slight modulo bias is acceptable.
  package mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  /// A number in `0..<1`, the same on every machine.
  package mutating func fraction() -> Double { Double(next() >> 11) / Double(1 << 53) }

  private static func mix(_ value: UInt64) -> UInt64 {
    var value = value
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
