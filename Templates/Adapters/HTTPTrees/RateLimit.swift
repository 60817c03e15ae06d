// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOCore
import RIBsStore

/// Refuses requests beyond a rate for each connection, caller and tree.
final class RateLimit: Sendable {
  /// In requests a second. Twice as many may come at once.
  private let (treeRate, callerRate, connectionRate): (Double, Double, Double)
  private let limiter = RateLimiter()

  init(_ options: ServerOptions) {
    (treeRate, callerRate, connectionRate) = (options.ratePerTree, options.ratePerCaller, options.ratePerConnection)
  }

  /// - Parameter isServer: whether another process sends the requests of many clients over the connection.
  func takeConnection(_ address: SocketAddress?, isServer: Bool) throws {
    guard let address else { return }
    try isServer ? take("server \(address)", connectionRate * 10) : take("connection \(address)", connectionRate)
  }

  func takeCaller(_ caller: Caller) throws { try take("caller \(short(caller.id))", callerRate) }

  func takeTree(_ key: String) throws { try take("tree \(short(key))", treeRate) }

  /// A text of bounded length that stands for another one: many IDs of an identity provider begin alike.
  private func short(_ text: String) -> String {
    text.utf8.count > 64 ? "\(text.prefix(16))… \(text.hashValue)" : text
  }

  private func take(_ key: String, _ rate: Double) throws {
    guard let wait = limiter.take(key, rate: rate) else { return }
    let limit = rate < 1 ? "\(rate)" : "\(Int(rate))"
    throw Problem(
      .tooManyRequests, "too-many-requests", "More than \(limit) requests a second. Repeat later.",
      retryAfter: Int((wait / .seconds(1)).rounded(.up)))
  }
}
