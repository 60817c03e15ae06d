// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
public import Hummingbird

/// The callers of bearer tokens (RFC 6750).
///
/// Replace it by what checks the tokens of your identity provider. Callers are made once and not for each request.
public struct BearerTokens: Sendable {
  /// By the value of the header.
  private let callers: [String: Caller]

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
      guard words.count > 1, token.isToken, callers[token] == nil else { throw BadTokens(line: index + 1) }
      callers[token] = Caller(id: words[1], roles: Set(words[2...]))
    }
    self.init(callers)
  }

  /// The caller of a request; nil without a token.
  ///
  /// - Throws: a `Problem` for a token that is unknown.
  public func caller(of request: Request) throws -> Caller? {
    guard let header = request.headers[.authorization] else { return nil }
    if let caller = callers[header] { return caller }
    // The name of a scheme has no case.
    let token = header.drop { $0 != " " }
    guard header.lowercased().hasPrefix("bearer "), let caller = callers["Bearer\(token)"] else {
      throw Problem.unknownCaller
    }
    return caller
  }
}

/// A line of a file of tokens is not a token of its own, the ID of a caller, and roles.
public struct BadTokens: Error, CustomStringConvertible {
  let line: Int

  /// Without the token.
  public var description: String {
    "Line \(line) of the tokens must be TOKEN CALLER ROLE…, with another token for each line."
  }
}
