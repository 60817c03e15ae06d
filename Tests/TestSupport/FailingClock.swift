// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// A clock that can't wait: each `sleep` throws at once. Its time stands still.
public struct FailingClock: Clock {
  public struct Failure: Error, CustomStringConvertible {
    public var description: String { "Failure" }
  }

  public let now = ContinuousClock.now

  public init() {}

  public var minimumResolution: Duration { .zero }

  public func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws { throw Failure() }
}
