/// Identifies a request with an effect, in all its repeats (an idempotency key).
///
/// A RIB chooses the key before the request, keeps it in its state, and waits for a `checkpoint()`. A restored RIB then
/// repeats the request with the same key, and the service returns its first answer.
struct RequestKey: Hashable, Codable, Sendable {
  let text: String

  init(_ text: String) { self.text = text }

  init(from decoder: any Decoder) throws { text = try decoder.singleValueContainer().decode(String.self) }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }

  /// A new key.
  static func random() -> RequestKey { RequestKey(String(UInt64.random(in: .min ... .max), radix: 36)) }
}
