// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The last answers of a tree, by client and idempotency key: a repeated request gets the answer that it got before.
///
/// Keep it in the saved state of the root, so that a repeat is recognized after a crash too, and in whichever process.
/// The request, its effect and its answer are saved in one record.
///
/// ```swift
/// var answers = RecentAnswers<String, Int>()
/// answers.append(7, to: "book seat 7", key: "d5f1", of: "anna")
/// print(try answers.answer(to: "book seat 7", key: "d5f1", of: "anna") ?? "new")
/// ```
///
/// For each client the last 16 answers of the last hour are kept, so that no client displaces the answers of another one. What
/// remains: a request that is repeated later, or after 16 newer ones of its client, is carried out again. Have clients give up
/// before. A clock that is set forward drops answers early, and one that is set back keeps them for longer.
public struct RecentAnswers<Request: Hashable & Codable & Sendable, Answer: Codable & Sendable>: Codable, Sendable {
  private struct Entry: Codable, Sendable {
    let key: String
    let request: Request
    let answer: Answer
    /// Nil if clients are not distinguished.
    var client: String?
    /// Nil in states of earlier versions.
    var date: Date?
  }

  /// Enough for all requests that a client may repeat.
  private static var limit: Int { 16 }
  /// Longer than any client goes on repeating a request, in seconds.
  private static var window: TimeInterval { 3_600 }

  private var entries: [Entry] = []

  /// No answers.
  public init() {}

  /// The answer of an earlier request; nil if there was none with this key.
  ///
  /// - Parameters:
  ///   - request: the request.
  ///   - key: its idempotency key.
  ///   - client: who has sent it; nil if clients are not distinguished.
  /// - Throws: `KeyReused` if that was another request.
  public func answer(to request: Request, key: String, of client: String? = nil) throws -> Answer? {
    guard let entry = entries.last(where: { $0.key == key && $0.client == client }) else { return nil }
    guard entry.request == request else { throw KeyReused() }
    return entry.answer
  }

  /// Records an answer, and drops those of the client that are too many, and those of all clients that are too old.
  ///
  /// - Parameters:
  ///   - answer: the answer.
  ///   - request: the request.
  ///   - key: its idempotency key.
  ///   - client: who has sent it; nil if clients are not distinguished.
  ///   - date: the time of the answer.
  public mutating func append(
    _ answer: Answer, to request: Request, key: String, of client: String? = nil, at date: Date = Date()
  ) {
    entries.removeAll { date.timeIntervalSince($0.date ?? date) > Self.window }
    let ofClient = entries.indices.filter { entries[$0].client == client }
    if ofClient.count >= Self.limit { entries.remove(at: ofClient[0]) }
    entries.append(Entry(key: key, request: request, answer: answer, client: client, date: date))
  }
}

/// An idempotency key was used for two different requests.
public struct KeyReused: Error {
  /// Creates an error.
  public init() {}
}
