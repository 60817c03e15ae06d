// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import RIBsStore

/// A secret of all processes of a server, by which they recognize the requests that they forward to each other.
///
/// Clients never get it, so they can't pretend to be a process, or another caller.
struct HopSecret: Sendable {
  private let text: String

  /// - Parameter text: nil or empty for none.
  init?(_ text: String?) {
    guard let text, !text.isEmpty else { return nil }
    self.text = text
  }

  /// The headers of a forwarded request that name its caller.
  func headers(for caller: Caller?) throws -> [(HTTPField.Name, String)] {
    [(.hops, text), (.hopCaller, try JSON.encode(caller).base64EncodedString())]
  }

  /// Whether another process has sent a request. The time does not depend on how much of the secret is right.
  func isSent(with request: Request) -> Bool {
    guard let sent = request.headers[.hops], sent.utf8.count == text.utf8.count else { return false }
    return zip(sent.utf8, text.utf8).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }

  /// The caller of a request that another process has sent; nil if it is unknown.
  static func caller(of request: Request) throws -> Caller? {
    guard let data = request.headers[.hopCaller].flatMap({ Data(base64Encoded: $0) }) else {
      throw Problem(.badRequest, "bad-hop", "The other server has named no caller.")
    }
    return try JSONDecoder().decode(Caller?.self, from: data)
  }
}
