// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// The secret in the address of the page.
struct AccessToken: Sendable {
  /// 43 letters, digits, - and _.
  let text: String

  /// A random token of 256 bits, from the random number generator of the system.
  init() {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    var generator = SystemRandomNumberGenerator()
    text = String((0..<43).map { _ in alphabet[Int(generator.next() & 63)] })
  }

  /// Whether a text is the token. Takes the same time for all texts of a length.
  func matches(_ other: some StringProtocol) -> Bool {
    let (own, other) = (Array(text.utf8), Array(other.utf8))
    var difference = own.count ^ other.count
    for index in own.indices { difference |= Int(own[index] ^ (other.isEmpty ? 0 : other[index % other.count])) }
    return difference == 0
  }
}
