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
  ///
  /// - Returns: what the list held before it was swept, to be released when the access to the list is over: what goes
  ///   with an ended subscription may use the list.
  mutating func append(_ disposable: any Disposable) -> [any Disposable] {
    var swept: [any Disposable] = []
    if elements.count >= sweepAt {
      swept = elements
      elements = swept.filter { !(($0 as? any Endable)?.hasEnded ?? false) }
      sweepAt = max(16, elements.count * 2)
    }
    elements.append(disposable)
    return swept
  }

  /// Takes all out, so that they can be disposed of when the list is not being changed any more.
  mutating func removeAll() -> [any Disposable] {
    defer { elements = [] }
    return elements
  }
}

extension [any Disposable] {
  /// Disposes of all, the last one first.
  func disposeAll() { for disposable in reversed() { disposable.dispose() } }
}
