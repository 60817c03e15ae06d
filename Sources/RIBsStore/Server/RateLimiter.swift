// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

/// Limits rates by keys, such as those of clients and trees, with a bounded amount of memory however many there are.
///
/// Each key has a bucket of tokens, which come back at its rate. Twice as many as in a second may be taken at once, and at
/// least one.
///
/// ```swift
/// let limiter = RateLimiter()
/// if let wait = limiter.take("client anna", rate: 20) { print("Repeat in \(wait).") }
/// ```
public final class RateLimiter: Sendable {
  private struct Bucket {
    var tokens: Double
    var time: ContinuousClock.Instant
  }

  private static let maximumBuckets = 65_536

  private let buckets = Locked<[String: Bucket]>([:])

  /// Creates a limiter without keys.
  public init() {}

  /// Takes a token of a key.
  ///
  /// - Parameters:
  ///   - key: a short text. Two kinds of keys need different texts.
  ///   - rate: how many tokens come back in a second, the same for each call with the key; more than zero.
  /// - Returns: nil if there was a token; how long to wait otherwise.
  /// - Complexity: amortized O(1).
  public func take(_ key: String, rate: Double) -> Duration? {
    // From one in three centuries to one in a nanosecond, which is no limit; what is no number is the lowest.
    let rate = rate > 1e-10 ? min(rate, 1e9) : 1e-10
    let capacity = max(2 * rate, 1)
    let now = ContinuousClock.now
    let missing: Double = buckets.withLock { buckets in
      var bucket = buckets[key] ?? Bucket(tokens: capacity, time: now)
      bucket.tokens = min(capacity, bucket.tokens + rate * ((now - bucket.time) / .seconds(1)))
      bucket.time = now
      defer {
        // A full bucket is like none.
        if buckets.count >= RateLimiter.maximumBuckets {
          buckets = buckets.filter { now - $0.value.time < .seconds(2) }
          if buckets.count >= RateLimiter.maximumBuckets { buckets = [:] }
        }
        buckets[key] = bucket
      }
      guard bucket.tokens >= 1 else { return 1 - bucket.tokens }
      bucket.tokens -= 1
      return 0
    }
    return missing == 0 ? nil : .seconds(missing / rate)
  }
}
