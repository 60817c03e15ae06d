// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// Pauses between attempts that grow with each one, up to a longest, with jitter.
///
/// Jitter keeps parts that failed together from trying again together. It only lengthens a pause, so none is ever
/// shorter than stated. Growth by a factor with random jitter is common practice, as in Apache Pekko's
/// `SupervisorStrategy.restartWithBackoff` (pekko.apache.org, "Fault Tolerance").
public struct Backoff: Hashable, Sendable {
  /// The pause before the first attempt, without jitter; at least a millisecond.
  public let first: Duration
  /// The longest pause, without jitter; at least `first`.
  public let longest: Duration
  /// The largest part of a pause that is added to it at random: 0.2 adds up to a fifth. From zero to one.
  public let jitter: Double

  /// Pauses that double with each attempt.
  ///
  /// - Parameters:
  ///   - first: the pause before the first attempt. A shorter one than a millisecond counts as a millisecond, so that
  ///     attempts never follow each other without a pause.
  ///   - longest: the longest pause, before jitter. A shorter one than `first` counts as `first`.
  ///   - jitter: the largest part of a pause that is added at random; limited to the range from zero to one.
  public static func exponential(
    from first: Duration = .milliseconds(100), to longest: Duration = .seconds(30), jitter: Double = 0.2
  ) -> Backoff {
    let first = max(first, .shortestInterval)
    return Backoff(first: first, longest: max(longest, first), jitter: jitter > 0 ? min(jitter, 1) : 0)
  }

  /// The pause before an attempt.
  ///
  /// - Parameters:
  ///   - attempt: the number of the attempt, from one. A smaller one counts as one.
  ///   - generator: the source of the jitter.
  /// - Complexity: logarithmic in `longest / first`.
  public func pause(before attempt: Int, using generator: inout some RandomNumberGenerator) -> Duration {
    var pause = first
    var attempt = attempt
    while attempt > 1, pause < longest {
      // Halved rather than doubled, which could overflow.
      pause = pause > longest / 2 ? longest : pause * 2
      attempt -= 1
    }
    return jitter == 0 ? pause : pause.addingSaturated(pause * Double.random(in: 0..<jitter, using: &generator))
  }
}

/// Repeats work that fails, with a pause before each further attempt.
///
/// ```swift
/// final class QuoteInteractor: Interactor {
///   private let fetch: () async throws -> Int
///
///   init(fetch: @escaping () async throws -> Int) { self.fetch = fetch }
///
///   override func didBecomeActive() {
///     super.didBecomeActive()
///     task {
///       let quote = try await retrying(.exponential(), atMost: 3, on: self.treeClock) { try await self.fetch() }
///       print(quote)
///     }
///   }
/// }
/// ```
///
/// Use it for work in `task` and `run`. A RIB whose state may be wrong is restarted by its container instead; see
/// <doc:HandlingFailures>.
///
/// The work runs where the caller runs: on the tree in `task`, off it in `run`. Cancelling the calling task ends a
/// pause at once, and no attempt follows an error that the work throws after it was cancelled.
///
/// - Parameters:
///   - backoff: the pauses.
///   - attempts: the number of attempts altogether; at least one is made.
///   - clock: the clock of the pauses. In `task`, pass `self.treeClock`, which tests control.
///   - work: the work, which must be safe to repeat.
/// - Returns: the result of the first attempt that succeeds.
/// - Throws: the error of the last attempt; a `CancellationError` if the calling task is cancelled during a pause.
public nonisolated(nonsending) func retrying<Value>(
  _ backoff: Backoff = .exponential(), atMost attempts: Int, on clock: any Clock<Duration> = SuspendingClock(),
  _ work: nonisolated(nonsending) () async throws -> Value
) async throws -> Value {
  var attempt = 1
  var generator = SystemRandomNumberGenerator()
  while true {
    do {
      return try await work()
    } catch {
      guard attempt < attempts, !Task.isCancelled else { throw error }
      try await clock.sleep(for: backoff.pause(before: attempt, using: &generator).boundedTimeout)
      attempt += 1
    }
  }
}

/// The random numbers of a tree, reproducible if it has a seed.
package struct TreeRandom: RandomNumberGenerator {
  /// The state of the generator; nil before the first number of a generator without a seed, which the system seeds.
  private var state: UInt64?

  package init(seed: UInt64?) { state = seed }

  /// SplitMix64 (Steele, Lea, Flood: "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014).
  package mutating func next() -> UInt64 {
    var mixed = (state ?? .random(in: .min ... .max)) &+ 0x9e37_79b9_7f4a_7c15
    state = mixed
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
