// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A thread-safe counter.
package final class Counter: Sendable {
  private let count = Atomic(0)

  package init() {}

  package func add() { count.add(1, ordering: .relaxed) }

  package var value: Int { count.load(ordering: .relaxed) }
}
