/// Disposables in the order in which they were added, without those that ended by themselves.
struct DisposableList {
  private var elements: [any Disposable] = []
  private var sweepAt = 16

  /// How many are held that have not ended, as far as can be told.
  var count: Int {
    elements.reduce(0) { count, element in ((element as? any Endable)?.hasEnded ?? false) ? count : count + 1 }
  }

  /// Adds one. Sweeps out the ended ones each time the list has doubled, so that a long life with many short
  /// subscriptions stays small.
  mutating func append(_ disposable: any Disposable) {
    if elements.count >= sweepAt {
      elements.removeAll { ($0 as? any Endable)?.hasEnded ?? false }
      sweepAt = max(16, elements.count * 2)
    }
    elements.append(disposable)
  }

  /// Ends all, the last added first. What is added meanwhile stays.
  mutating func disposeAll() {
    let ending = elements
    elements = []
    for disposable in ending.reversed() { disposable.dispose() }
  }
}
