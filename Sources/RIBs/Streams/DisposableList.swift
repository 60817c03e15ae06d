/// Disposables in insertion order. Those that have ended are swept.
///
/// Disposables may run user code when they are called or released, and that code may add to the same list. The list
/// therefore does neither while it is being changed. Its owner sweeps it in three steps: `beginSweep()`, `findLive()`
/// outside any access to the list, and `endSweep(_:keeping:)`.
struct DisposableList {
  /// The oldest element. Stored separately because it is often the only one.
  private var first: (any Disposable)?
  private var others: [any Disposable] = []
  /// The size of `others` at which the next sweep starts.
  private var sweepAt: Int32 = 16
  /// Incremented when elements are removed, which invalidates a sweep in progress.
  private var removals: UInt32 = 0

  /// The number of elements not known to have ended. It calls `hasEnded` of each, so use a copy of the list.
  var count: Int { others.count { !$0.hasEnded } + (first?.hasEnded == false ? 1 : 0) }

  /// Appends a disposable.
  ///
  /// - Complexity: amortized O(1), including sweeps.
  mutating func append(_ disposable: any Disposable) {
    if first == nil, others.isEmpty { first = disposable } else { others.append(disposable) }
  }

  /// Removes and returns all elements, to be disposed of outside the access to the list.
  mutating func removeAll() -> DisposableList {
    var removed = DisposableList()
    swap(&self, &removed)
    removals = removed.removals &+ 1
    return removed
  }

  /// Disposes of all elements, last first. Call it on a removed list.
  func disposeAll() {
    for disposable in others.reversed() { disposable.dispose() }
    first?.dispose()
  }

  // MARK: Sweeping

  /// The elements at the start of a sweep.
  struct Sweep {
    fileprivate let first: (any Disposable)?
    fileprivate let others: [any Disposable]
    fileprivate let removals: UInt32

    /// The elements that have not ended. Calls `hasEnded` of each.
    func findLive() -> Live {
      Live(first: first?.hasEnded == true ? nil : first, others: others.filter { !$0.hasEnded })
    }
  }

  /// The elements that a sweep keeps.
  struct Live {
    fileprivate let first: (any Disposable)?
    fileprivate let others: [any Disposable]
  }

  /// Starts a sweep if the list has doubled since the last one, which bounds the memory of many short subscriptions.
  mutating func beginSweep() -> Sweep? {
    guard others.count >= Int(sweepAt) else { return nil }
    sweepAt = Int32(clamping: others.count * 2)
    return Sweep(first: first, others: others, removals: removals)
  }

  /// Removes the elements that the sweep does not keep, unless others were removed meanwhile. Keeps elements added
  /// meanwhile.
  mutating func endSweep(_ sweep: Sweep, keeping live: Live) {
    guard removals == sweep.removals else { return }
    removals &+= 1
    first = live.first
    others = live.others + others.dropFirst(sweep.others.count)
    sweepAt = Int32(clamping: max(16, others.count * 2))
  }
}
