/// The last answers of a tree, by idempotency key: a repeated request gets the answer that it got before.
///
/// A part of the saved state of the root, so that a repeat is recognized after a crash too, and in whichever process.
/// The request, its effect and its answer are saved in one record.
public struct RecentAnswers<Request: Hashable & Codable & Sendable, Answer: Codable & Sendable>: Codable, Sendable {
  private struct Entry: Codable, Sendable {
    let key: String
    let request: Request
    let answer: Answer
  }

  /// Enough for all requests that a client may repeat.
  private static var limit: Int { 16 }

  private var entries: [Entry] = []

  /// No answers.
  public init() {}

  /// The answer of an earlier request; nil if there was none with this key.
  ///
  /// - Throws: `KeyReused` if that was another request.
  public func answer(to request: Request, key: String) throws -> Answer? {
    guard let entry = entries.last(where: { $0.key == key }) else { return nil }
    guard entry.request == request else { throw KeyReused() }
    return entry.answer
  }

  /// Records an answer, in place of the oldest one if there are many.
  public mutating func append(_ answer: Answer, to request: Request, key: String) {
    entries = entries.suffix(Self.limit - 1) + [Entry(key: key, request: request, answer: answer)]
  }
}

/// An idempotency key was used for two different requests.
public struct KeyReused: Error {}
