/// Disposables in the order in which they were added, without those that ended by themselves.
struct DisposableList {
  /// Kept beside the others, as there is often no other. Nothing to dispose of at first.
  private var first: any Disposable = EmptyDisposable()
  private var others: [any Disposable] = []
  private var sweepAt: Int32 = 16
  private var isEmpty = true

  /// How many are held that have not ended, as far as can be told.
  var count: Int {
    others.reduce(DisposableList.isLive(first) ? 1 : 0) { count, element in
      DisposableList.isLive(element) ? count + 1 : count
    }
  }

  private static func isLive(_ disposable: any Disposable) -> Bool { (disposable as? any Endable)?.hasEnded != true }

  /// Adds one. Sweeps out the ended ones each time the list has doubled, so that a long life with many short
  /// subscriptions stays small.
  ///
  /// - Returns: what the list held before it was swept, to be released when the access to the list is over: what goes
  ///   with an ended subscription may use the list.
  mutating func append(_ disposable: any Disposable) -> [any Disposable] {
    guard !isEmpty else {
      isEmpty = false
      first = disposable
      return []
    }
    var swept: [any Disposable] = []
    if others.count >= Int(sweepAt) {
      swept = others
      others = swept.filter(DisposableList.isLive)
      sweepAt = Int32(clamping: max(16, others.count * 2))
    }
    others.append(disposable)
    return swept
  }

  /// Takes all out, so that they can be disposed of when the list is not being changed any more.
  mutating func removeAll() -> DisposableList {
    var removed = DisposableList()
    swap(&self, &removed)
    return removed
  }

  /// Disposes of all, the last one first.
  func disposeAll() {
    for disposable in others.reversed() { disposable.dispose() }
    first.dispose()
  }
}
