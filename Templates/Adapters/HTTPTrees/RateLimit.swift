// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOCore
import Synchronization

/// Refuses requests beyond a rate for each connection, caller and tree, with as much memory however many there are.
final class RateLimit: Sendable {
  /// Tokens that come back at the rate, up to a number.
  private struct Bucket {
    var tokens: Double
    var time: ContinuousClock.Instant
  }

  private static let maximumBuckets = 65_536

  /// In requests a second. Twice as many may come at once.
  private let (treeRate, callerRate, connectionRate): (Double, Double, Double)
  private let buckets = Mutex<[String: Bucket]>([:])

  init(_ options: ServerOptions) {
    (treeRate, callerRate, connectionRate) = (options.ratePerTree, options.ratePerCaller, options.ratePerConnection)
  }

  /// - Parameter isServer: whether another process sends the requests of many clients over the connection.
  func takeConnection(_ address: SocketAddress?, isServer: Bool) throws {
    guard let address else { return }
    try isServer ? take("server \(address)", connectionRate * 10) : take("connection \(address)", connectionRate)
  }

  func takeCaller(_ caller: Caller) throws { try take("caller \(caller.id.prefix(64))", callerRate) }

  func takeTree(_ key: String) throws { try take("tree \(key.prefix(64))", treeRate) }

  private func take(_ key: String, _ rate: Double) throws {
    let now = ContinuousClock.now
    let wait = buckets.withLock { buckets in
      var bucket = buckets[key] ?? Bucket(tokens: 2 * rate, time: now)
      bucket.tokens = min(2 * rate, bucket.tokens + rate * ((now - bucket.time) / .seconds(1)))
      bucket.time = now
      defer {
        // A full bucket is like none.
        if buckets.count >= RateLimit.maximumBuckets {
          buckets = buckets.filter { now - $0.value.time < .seconds(2) }
          if buckets.count >= RateLimit.maximumBuckets { buckets = [:] }
        }
        buckets[key] = bucket
      }
      guard bucket.tokens >= 1 else { return (1 - bucket.tokens) / rate }
      bucket.tokens -= 1
      return 0
    }
    guard wait == 0 else {
      throw Problem(
        .tooManyRequests, "too-many-requests", "More than \(Int(rate)) requests a second. Repeat later.",
        retryAfter: Int(wait.rounded(.up)))
    }
  }
}
