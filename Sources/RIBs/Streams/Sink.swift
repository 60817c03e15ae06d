/// The subscription of an operator that ends by itself or has several sources.
///
/// All such operators return one. It holds the subscriptions of the sources and the observer until it ends. It ends once:
/// by completion or by disposal. After that it delivers nothing, and holds nothing.
///
/// An operator that ends exactly when its only source does (`map`, `filter`, `scan`) returns the subscription of the
/// source instead.
final class Sink<Element>: Disposable {
  private enum State {
    case open(AnyObserver<Element>)
    /// The sources are being disposed of, and the observer is notified next, unless this is disposed of before.
    case completing(AnyObserver<Element>)
    case ended
  }

  // Whatever is replaced here is held by a local variable, so that it is released when the access is over.
  private var state: State
  private var sources: [any Disposable] = []

  init(_ observer: AnyObserver<Element>) { state = .open(observer) }

  /// Whether values are delivered.
  var isOpen: Bool { if case .open = state { true } else { false } }

  var hasEnded: Bool { if case .ended = state { true } else { false } }

  /// Holds the subscription of a source. Disposes of it at once if this has ended meanwhile.
  func add(_ source: any Disposable) {
    guard !source.hasEnded else { return }
    if isOpen { sources.append(source) } else { source.dispose() }
  }

  /// Delivers a value, unless this has ended.
  func next(_ element: Element) {
    guard case .open(let observer) = state else { return }
    observer.onNext(element)
  }

  /// Disposes of the sources, and then notifies the observer of the end.
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

/// A value that a subscription keeps between deliveries.
///
/// Replacing a value never releases it inside the access: its `deinit` may be code of the user, which may use the same
/// stream. An operator holds the previous value until its delivery is over, so that what that `deinit` accepts comes
/// after the value that was accepted before.
@usableFromInline
package final class Latest<Value> {
  /// Written by the methods only.
  @usableFromInline package internal(set) var value: Value

  @inlinable
  package init(_ value: Value) { self.value = value }

  /// Stores a value, and releases the previous one afterwards.
  @inlinable
  package func set(_ new: Value) {
    let previous = value
    value = new
    withExtendedLifetime(previous) {}
  }

  /// Stores a value, and returns the previous one, to be held until the delivery is over.
  @inlinable
  package func exchange(_ new: Value) -> Value {
    let previous = value
    value = new
    return previous
  }
}
