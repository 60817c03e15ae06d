// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// Parses and formats fixed-point decimal numbers as integers, without rounding.
package enum FixedPoint {
  /// Why a text is not a valid number.
  package enum Failure: Error {
    case malformed
    case negative
    case tooManyDecimals
    case tooLarge
  }

  /// Parses digits, optionally followed by a point and more digits.
  ///
  /// - Parameters:
  ///   - text: the number in ASCII.
  ///   - decimals: the maximum number of digits after the point.
  /// - Returns: the number in units of the last decimal.
  package static func parse(_ text: some Collection<UInt8>, decimals: Int) throws(Failure) -> Int {
    var digits = text[...]
    if digits.first == UInt8(ascii: "-") {
      digits = digits.dropFirst()
      guard digits.first != UInt8(ascii: "-") else { throw .malformed }
      _ = try parse(digits, decimals: decimals)
      throw .negative
    }
    let whole = digits.prefix { $0 != UInt8(ascii: ".") }
    var value = try append(whole, to: 0)
    guard whole.endIndex != digits.endIndex else { return try append(zeros: decimals, to: value) }
    let fraction = digits[whole.endIndex...].dropFirst()
    value = try append(fraction, to: value)
    guard fraction.count <= decimals else { throw .tooManyDecimals }
    return try append(zeros: decimals - fraction.count, to: value)
  }

  /// Formats a number in the syntax of `parse`.
  package static func text(_ value: Int128, decimals: Int) -> String {
    guard decimals > 0 else { return "\(value)" }
    var digits = "\(value.magnitude)"
    if digits.count <= decimals { digits = String(repeating: "0", count: decimals + 1 - digits.count) + digits }
    return (value < 0 ? "-" : "") + digits.dropLast(decimals) + "." + digits.suffix(decimals)
  }

  private static func append(_ digits: some Collection<UInt8>, to value: Int) throws(Failure) -> Int {
    guard !digits.isEmpty, digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
      throw .malformed
    }
    var value = value
    for digit in digits { value = try append(Int(digit - UInt8(ascii: "0")), to: value) }
    return value
  }

  private static func append(zeros: Int, to value: Int) throws(Failure) -> Int {
    var value = value
    for _ in 0..<zeros { value = try append(0, to: value) }
    return value
  }

  private static func append(_ digit: Int, to value: Int) throws(Failure) -> Int {
    let (shifted, isTooLarge) = value.multipliedReportingOverflow(by: 10)
    let (sum, isStillTooLarge) = shifted.addingReportingOverflow(digit)
    guard !isTooLarge, !isStillTooLarge else { throw .tooLarge }
    return sum
  }
}
