// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// Counts the RIBs in memory, of one order or of all orders of a run.
package final class RIBCounter: Sendable {
  private let total: RIBCounter?
  private let current = Atomic(0)
  private let maximum = Atomic(0)

  /// - Parameter total: the counter that this one adds to; nil for none.
  package init(partOf total: RIBCounter? = nil) { self.total = total }

  /// The number of RIBs now.
  package var count: Int { current.load(ordering: .acquiring) }

  /// The maximum number so far. Only counted without a total.
  package var peak: Int { maximum.load(ordering: .relaxed) }

  fileprivate func add() {
    let new = current.add(1, ordering: .relaxed).newValue
    if let total {
      total.add()
    } else if new > maximum.load(ordering: .relaxed) {
      maximum.max(new, ordering: .relaxed)
    }
  }

  fileprivate func remove() {
    current.subtract(1, ordering: .acquiringAndReleasing)
    total?.remove()
  }

  /// Stored by an interactor: counts its RIB from creation until the interactor is released.
  struct Token: ~Copyable {
    private let counter: RIBCounter

    init(of counter: RIBCounter) {
      self.counter = counter
      counter.add()
    }

    deinit { counter.remove() }
  }
}
