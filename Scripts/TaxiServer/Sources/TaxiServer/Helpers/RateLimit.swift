import HTTPTypes
import Hummingbird
import Synchronization

/// Refuses requests beyond a rate for each rider and each connection, with as much memory however many there are.
final class RateLimit: RouterMiddleware {
  /// Tokens that come back at the rate, up to a number.
  private struct Bucket {
    var tokens: Double
    var time: ContinuousClock.Instant
  }

  private static let maximumBuckets = 65_536

  /// In requests a second. Twice as many may come at once.
  private let (riderRate, connectionRate): (Double, Double)
  private let buckets = Mutex<[String: Bucket]>([:])

  init(perRider: Double, perConnection: Double) {
    (riderRate, connectionRate) = (perRider, perConnection)
  }

  func handle(
    _ request: Request, context: ServerContext, next: (Request, ServerContext) async throws -> Response
  ) async throws -> Response {
    // Another process sends the requests of many riders over a connection.
    if request.headers[.hops] == nil, let client = context.channel.remoteAddress {
      try take("connection \(client)", connectionRate)
    }
    if let rider = context.parameters.get("rider") { try take("rider \(rider.prefix(64))", riderRate) }
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
