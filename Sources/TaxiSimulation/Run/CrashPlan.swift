// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import TaxiOrder

/// Decides when the tree of an order is dropped, as by a crash of its process, and restored from what was saved last.
struct CrashPlan: Sendable {
  /// The number of events of the tree after which a life ends; nil if it does not crash.
  private let crash: @Sendable (_ life: Int) -> Int?

  /// Crashes at given events.
  ///
  /// - Parameter events: the number of the event at which each life of the tree ends. Later lives don't crash.
  init(at events: [Int]) { crash = { life in life < events.count ? events[life] : nil } }

  /// Crashes at random events.
  ///
  /// - Parameters:
  ///   - rate: the probability that a life of the tree ends at a random event.
  ///   - seed: the seed of the run.
  ///   - number: the number of the order in the run.
  ///   - fleet: the number of free taxis near the rider.
  init(rate: Double, seed: UInt64, number: Int, fleet: Int) {
    // About the number of events of an order. With fewer, no life of an order with many taxis would get as far as a save.
    let events = 250 + 7 * fleet
    crash = { life in
      // Separate random numbers, so that the order is the same as in a run without crashes.
      var random = SeededGenerator(seed: seed &+ 0x5EED &+ UInt64(life), order: number)
      guard random.fraction() < rate else { return nil }
      return 1 + random.below(events)
    }
  }

  /// - Parameter life: the number of the life, from zero.
  /// - Returns: the number of the event at which it ends; nil if it does not crash.
  func event(inLife life: Int) -> Int? { crash(life) }
}
