// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsLists

// A router whose children follow a list of models.

package struct Item: Identifiable, Hashable, Sendable {
  package let id: Int
  package var value: Int

  package init(id: Int, value: Int) {
    self.id = id
    self.value = value
  }
}

package final class RowRouter: Router<Interactor>, ModelRouting {
  package init() { super.init(interactor: Interactor()) }

  package func didUpdate(to model: Item, from previous: Item) {}
}

package final class RowsRouter: Router<Interactor> {
  package private(set) lazy var list = ChildList<Item>(of: self) { _, _ in RowRouter() }

  package init() { super.init(interactor: Interactor()) }
}

package enum Lists {
  /// A list of random items, and the same list with a tenth each of deletions, insertions and moves.
  package static func mixed(
    _ count: Int, using random: inout some RandomNumberGenerator
  ) -> (old: [Item], new: [Item]) {
    let old = items(count, using: &random)
    var new = old
    for _ in 0..<count / 10 {
      new.remove(at: .random(in: new.indices, using: &random))
      new.insert(item(1, using: &random), at: .random(in: new.indices, using: &random))
      let moved = new.remove(at: .random(in: new.indices, using: &random))
      new.insert(moved, at: .random(in: new.indices, using: &random))
    }
    return (old, new)
  }

  package static func items(_ count: Int, using random: inout some RandomNumberGenerator) -> [Item] {
    (0..<count).map { _ in item(0, using: &random) }
  }

  private static func item(_ value: Int, using random: inout some RandomNumberGenerator) -> Item {
    Item(id: .random(in: 0..<1 << 60, using: &random), value: value)
  }
}

/// Random numbers that are the same in every process.
struct RepeatableNumbers: RandomNumberGenerator {
  private var state: UInt64 = 1

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ (state >> 29)
  }
}
