// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// Identifies a request with an effect, in all its repeats (an idempotency key).
///
/// An order chooses a key, from which the RIBs of its stages derive those of their requests. Before a request, they wait
/// for a `checkpoint()`. A RIB that is restored, or that is restarted after a failure, then repeats the request with the
/// same key, and the service returns its first answer.
public struct RequestKey: Hashable, Codable, Sendable {
  /// The key as text.
  public let text: String

  init(_ text: String) { self.text = text }

  /// Decodes a key.
  public init(from decoder: any Decoder) throws { text = try decoder.singleValueContainer().decode(String.self) }

  /// Encodes the key.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }

  /// The key of a part of what this one identifies.
  func appending(_ part: some CustomStringConvertible) -> RequestKey { RequestKey("\(text).\(part)") }

  /// A new key.
  package static func random() -> RequestKey { RequestKey(String(UInt64.random(in: .min ... .max), radix: 36)) }
}
