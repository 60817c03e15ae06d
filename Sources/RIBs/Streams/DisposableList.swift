/// Disposables in the order in which they were added, without those that have ended by themselves.
///
/// The list calls no method of a disposable and releases none while it is changed: both may run code of the user, which
/// may add to the same list. So its owner sweeps it in three steps: `beginSweep()`, `findLive()` outside of any access to
/// the list, and `endSweep(_:keeping:)`.
struct DisposableList {
  /// The oldest. Stored apart from the others because there is often no other.
  private var first: (any Disposable)?
  private var others: [any Disposable] = []
  /// The number of others at which the next sweep begins.
  private var sweepAt: Int32 = 16
  /// Changes when elements are removed: a sweep under way is out of date then.
  private var removals: UInt32 = 0

  /// How many are held that are not known to have ended. Reads `hasEnded` of each, so call it on a copy of the list.
  var count: Int { others.count { !$0.hasEnded } + (first?.hasEnded == false ? 1 : 0) }

  /// Adds one.
  ///
  /// - Complexity: amortized O(1), with the sweep.
  mutating func append(_ disposable: any Disposable) {
    if first == nil, others.isEmpty { first = disposable } else { others.append(disposable) }
  }

  /// Removes all, so that they can be disposed of when the list is not accessed any more.
  mutating func removeAll() -> DisposableList {
    var removed = DisposableList()
    swap(&self, &removed)
    removals = removed.removals &+ 1
    return removed
  }

  /// Disposes of all, the last one first. Called on a list that was removed.
  func disposeAll() {
    for disposable in others.reversed() { disposable.dispose() }
    first?.dispose()
  }

  // MARK: Removing what has ended

  /// The elements at the beginning of a sweep.
  struct Sweep {
    fileprivate let first: (any Disposable)?
    fileprivate let others: [any Disposable]
    fileprivate let removals: UInt32

    /// The elements that have not ended. Reads `hasEnded` of each.
    func findLive() -> Live {
      Live(first: first?.hasEnded == true ? nil : first, others: others.filter { !$0.hasEnded })
    }
  }

  /// The elements that a sweep keeps.
  struct Live {
    fileprivate let first: (any Disposable)?
    fileprivate let others: [any Disposable]
  }

  /// Begins a sweep if the list has doubled since the last one, so that a scope with many short subscriptions stays small.
  mutating func beginSweep() -> Sweep? {
    guard others.count >= Int(sweepAt) else { return nil }
    sweepAt = Int32(clamping: others.count * 2)
    return Sweep(first: first, others: others, removals: removals)
  }

  /// Removes what the sweep does not keep, unless elements were removed meanwhile. What was added meanwhile stays.
  mutating func endSweep(_ sweep: Sweep, keeping live: Live) {
    guard removals == sweep.removals else { return }
    removals &+= 1
    first = live.first
    others = live.others + others.dropFirst(sweep.others.count)
    sweepAt = Int32(clamping: max(16, others.count * 2))
  }
}
