// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// Counts the objects of a test that are alive.
final class Population {
  fileprivate(set) var count = 0
}

/// A value that is counted while it is alive, and may run a closure when it is released.
final class Tracked: Equatable {
  let number: Int
  private let population: Population?
  private let farewell: (() -> Void)?

  init(_ number: Int, in population: Population? = nil, farewell: (() -> Void)? = nil) {
    self.number = number
    self.population = population
    self.farewell = farewell
    population?.count += 1
  }

  deinit {
    population?.count -= 1
    farewell?()
  }

  static func == (one: Tracked, other: Tracked) -> Bool { one.number == other.number }
}
