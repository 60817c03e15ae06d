// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// The callers of bearer tokens (RFC 6750).
///
/// A server replaces it by what checks the tokens of its identity provider. Callers are made once and not for each request.
///
/// ```swift
/// let tokens = BearerTokens(["4f1c0c5be4a7d1e08d93": Caller(id: "anna")])
/// print(try tokens.caller(ofHeader: "Bearer 4f1c0c5be4a7d1e08d93")?.id ?? "unknown")
/// ```
public struct BearerTokens: Sendable {
  /// By the value of the header.
  private let callers: [String: Caller]

  /// Creates the tokens of callers.
  ///
  /// - Parameter callers: by their tokens. Each token is random, with at least 128 bits.
  public init(_ callers: [String: Caller]) {
    self.callers = Dictionary(uniqueKeysWithValues: callers.map { ("Bearer \($0)", $1) })
  }

  /// Reads a file with a line for each token: the token, the ID of the caller and its roles, separated by spaces. Empty lines
  /// and those that begin with `#` are skipped.
  ///
  /// - Throws: `BadTokens`, or the error of the file system.
  public init(file path: String) throws {
    var callers: [String: Caller] = [:]
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(omittingEmptySubsequences: false) {
      $0.isNewline
    }
    for (index, line) in lines.enumerated() where !line.hasPrefix("#") {
      let words = line.split(separator: " ").map(String.init)
      guard let token = words.first else { continue }
      guard words.count > 1, BearerTokens.isToken(token), callers[token] == nil else {
        throw BadTokens(line: index + 1)
      }
      callers[token] = Caller(id: words[1], roles: Set(words[2...]))
    }
    self.init(callers)
  }

  private static func isToken(_ text: String) -> Bool {
    text.utf8.count <= 100 && text.utf8.allSatisfy { (0x21...0x7e).contains($0) }
  }

  /// The caller of a request; nil without a token.
  ///
  /// - Parameter header: the value of the header `Authorization`; nil if there is none.
  /// - Throws: `UnknownToken`.
  public func caller(ofHeader header: String?) throws -> Caller? {
    guard let header else { return nil }
    if let caller = callers[header] { return caller }
    // The name of a scheme has no case.
    let token = header.drop { $0 != " " }
    guard header.lowercased().hasPrefix("bearer "), let caller = callers["Bearer\(token)"] else { throw UnknownToken() }
    return caller
  }
}

/// A request has a token of no caller.
public struct UnknownToken: Error {
  /// Creates an error.
  public init() {}
}

/// A line of a file of tokens is not a token of its own, the ID of a caller, and roles.
public struct BadTokens: Error, CustomStringConvertible {
  let line: Int

  /// Without the token.
  public var description: String {
    "Line \(line) of the tokens must be TOKEN CALLER ROLE…, with another token for each line."
  }
}
