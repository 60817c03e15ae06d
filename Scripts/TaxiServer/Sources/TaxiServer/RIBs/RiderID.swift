// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// The ID of a rider: 1 to 64 letters, digits, `-` and `_`.
public struct RiderID: Hashable, Sendable, LosslessStringConvertible {
  public let description: String

  public init?(_ description: String) {
    let isValid = description.utf8.allSatisfy { byte in
      switch UInt8(byte) {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"): true
      default: false
      }
    }
    guard isValid, (1...64).contains(description.utf8.count) else { return nil }
    self.description = description
  }

  /// Different for each ID, and the same in each process.
  var seed: UInt64 { description.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 } }
}
