// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
public import Hummingbird
import Synchronization

/// Refuses requests beyond a rate for each tree and each connection, with as much memory however many there are.
public final class RateLimit: RouterMiddleware {
  /// Tokens that come back at the rate, up to a number.
  private struct Bucket {
    var tokens: Double
    var time: ContinuousClock.Instant
  }

  private static let maximumBuckets = 65_536

  /// In requests a second. Twice as many may come at once.
  private let (treeRate, connectionRate): (Double, Double)
  private let trustsHops: Bool
  private let buckets = Mutex<[String: Bucket]>([:])

  /// - Parameter trustsHops: whether other processes send requests here. A balancer must remove the header `X-Ribs-Hops`
  ///   of clients then.
  public init(perTree: Double, perConnection: Double, trustsHops: Bool) {
    (treeRate, connectionRate, self.trustsHops) = (perTree, perConnection, trustsHops)
  }

  /// Answers a request, or refuses it.
  public func handle(
    _ request: Request, context: ServerContext, next: (Request, ServerContext) async throws -> Response
  ) async throws -> Response {
    if let client = context.channel.remoteAddress {
      // Another process sends the requests of many clients over a connection.
      if trustsHops, request.headers[.hops] != nil {
        try take("server \(client)", connectionRate * 10)
      } else {
        try take("connection \(client)", connectionRate)
      }
    }
    if let tree = context.parameters.get("tree") { try take("tree \(tree.prefix(64))", treeRate) }
    return try await next(request, context)
  }

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
