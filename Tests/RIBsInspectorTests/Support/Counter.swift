// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A counter for any thread.
final class Counter: Sendable {
  private let value = Atomic(0)

  var count: Int { value.load(ordering: .acquiring) }

  func add() { value.add(1, ordering: .releasing) }
}
