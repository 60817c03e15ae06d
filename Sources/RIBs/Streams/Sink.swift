// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// The subscription of an operator that completes early or has several sources.
///
/// It holds the source subscriptions and the observer until it ends, by completion or disposal. After that it
/// delivers and holds nothing.
///
/// Operators that complete exactly when their only source does (`map`, `filter`, `scan`) return the source's
/// subscription instead.
final class Sink<Element>: Disposable {
  private enum State {
    case open(AnyObserver<Element>)
    /// The sources are being disposed of; the observer is notified next, unless this is disposed of first.
    case completing(AnyObserver<Element>)
    case ended
  }

  // Replaced values are held by a local variable, so that they are released outside the access.
  private var state: State
  private var sources: [any Disposable] = []

  #if DEBUG
    /// The tree in which this was bound.
    private weak var tree: (any IsolationDomain)?
  #endif

  init(_ observer: AnyObserver<Element>) { state = .open(observer) }

  /// Whether values are delivered.
  var isOpen: Bool { if case .open = state { true } else { false } }

  var hasEnded: Bool { if case .ended = state { true } else { false } }

  /// Holds the subscription of a source. Disposes of it at once if this has ended.
  func add(_ source: any Disposable) {
    guard !source.hasEnded else { return }
    #if DEBUG
      source.checkIsolation(in: tree)
    #endif
    if isOpen { sources.append(source) } else { source.dispose() }
  }

  /// Delivers a value, unless this has ended.
  func next(_ element: Element) {
    guard case .open(let observer) = state else { return }
    observer.onNext(element)
  }

  /// Disposes of the sources, then notifies the observer of the completion.
  func complete() {
    guard case .open(let observer) = state else { return }
    state = .completing(observer)
    disposeSources()
    guard case .completing = state else { return }
    state = .ended
    observer.onCompleted()
  }

  func dispose() {
    let previous = state
    state = .ended
    disposeSources()
    withExtendedLifetime(previous) {}
  }

  private func disposeSources() {
    let ending = sources
    sources = []
    for source in ending { source.dispose() }
  }
}

extension Observable {
  /// A stream that runs a closure for each subscription with a new sink, which adds the sources to it.
  static func sinking(_ begin: @escaping (Sink<Element>) -> Void) -> Observable {
    Observable { observer in
      let sink = Sink(observer)
      begin(sink)
      return sink
    }
  }
}

extension ObservableType {
  /// A stream that delivers what a closure makes of the values of this one, and completes with it.
  ///
  /// - Parameter receive: called for each subscription with what delivers to its observer, and returns what receives the
  ///   values of this stream.
  @inlinable
  func lift<Result>(
    _ receive: @escaping (_ deliver: @escaping (Result) -> Void) -> (Element) -> Void
  ) -> Observable<Result> {
    let source = asObservable()
    return Observable { observer in
      source.subscribe(AnyObserver(next: receive(observer.next), completed: observer.completed))
    }
  }
}

#if DEBUG
  extension Sink: IsolationChecking {
    func checkValues(in tree: any IsolationDomain) {
      self.tree = tree
      for source in sources { source.checkIsolation(in: tree) }
    }
  }
#endif

/// A value that a subscription keeps between deliveries.
///
/// A replaced value is never released inside the access: its `deinit` may run user code that uses the same stream.
/// Operators hold the previous value until the delivery ends, so that values accepted by its `deinit` are delivered
/// after the current one.
@usableFromInline
package final class Latest<Value> {
  /// Written only by `set(_:)` and `exchange(_:)`.
  @usableFromInline package internal(set) var value: Value

  @inlinable
  package init(_ value: Value) { self.value = value }

  /// Stores a value, then releases the previous one.
  @inlinable
  package func set(_ new: Value) {
    let previous = value
    value = new
    withExtendedLifetime(previous) {}
  }

  /// Stores a value and returns the previous one, to be held until the delivery ends.
  @inlinable
  package func exchange(_ new: Value) -> Value {
    let previous = value
    value = new
    return previous
  }
}
