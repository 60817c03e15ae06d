// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBsStore
import Testing

@Suite("A limit of rates")
struct RateLimiterTests {
  @Test("lets twice the rate pass at once, and says how long the next one has to wait")
  func burst() {
    let limiter = RateLimiter()
    for _ in 0..<4 { #expect(limiter.take("a", rate: 2) == nil) }
    let wait = limiter.take("a", rate: 2)
    #expect(wait.map { $0 > .zero && $0 <= .milliseconds(500) } == true)
    #expect(limiter.take("b", rate: 2) == nil)
    // One at once, also at a rate of one in ten thousand seconds.
    #expect(limiter.take("c", rate: 1e-4) == nil)
    #expect(limiter.take("c", rate: 1e-4) ?? .zero > .seconds(9_000))
  }

  @Test("gives tokens back at the rate")
  func refill() async throws {
    let limiter = RateLimiter()
    var wait: Duration?
    while wait == nil { wait = limiter.take("a", rate: 50) }
    try await Task.sleep(for: try #require(wait))
    #expect(limiter.take("a", rate: 50) == nil)
  }

  @Test("forgets keys when there are too many, and counts on")
  func manyKeys() {
    let limiter = RateLimiter()
    for number in 0..<70_000 { #expect(limiter.take("key \(number)", rate: 1) == nil) }
    for _ in 0..<2 { _ = limiter.take("key", rate: 1) }
    #expect(limiter.take("key", rate: 1) != nil)
  }
}
