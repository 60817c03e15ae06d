// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// A checksum of 64 bits that detects damage by a disk or a copy. It does not protect against forgery.
///
/// Each step is a bijection of the sum, so a change within eight aligned bytes is always detected. The probability of
/// missing another change is 2⁻⁶⁴.
struct Checksum {
  private var sum: UInt64 = 0xCBF2_9CE4_8422_2325

  mutating func add(_ bytes: [UInt8]) {
    var (word, shift): (UInt64, UInt64) = (0, 0)
    for byte in bytes {
      word |= UInt64(byte) << shift
      shift += 8
      guard shift == 64 else { continue }
      add(word)
      (word, shift) = (0, 0)
    }
    add(word)
    add(UInt64(bytes.count))
  }

  private mutating func add(_ word: UInt64) {
    sum = (sum ^ word) &* 0x9E37_79B9_7F4A_7C15
    sum ^= sum >> 32
  }

  /// The sum as 16 hexadecimal digits.
  var digits: [UInt8] {
    stride(from: 60, through: 0, by: -4).map { shift in
      let digit = UInt8(truncatingIfNeeded: sum >> UInt64(shift)) & 15
      return digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
    }
  }
}
