/// A stream of values that can be read and not written.
///
/// Streams are synchronous: a value is delivered during the call that caused it, on the tree, without a lock or a
/// thread. A stream may end, and carries no error: what can fail is the work that feeds it, and that reports its own.
/// An observable does nothing until it is subscribed to, and each subscription has a state of its own.
///
/// ```swift
/// timelineStream.tweets
///   .map(\.count)
///   .distinctUntilChanged()
///   .subscribe(onNext: { count in print(count) })
///   .disposeOnDeactivate(interactor: self)
/// ```
public final class Observable<Element>: ObservableType {
  @usableFromInline let source: (AnyObserver<Element>) -> any Disposable

  /// - Parameter source: subscribes an observer; delivers nothing after an end, and nothing once disposed of.
  @inlinable
  init(source: @escaping (AnyObserver<Element>) -> any Disposable) { self.source = source }

  /// This observable.
  @inlinable
  public func asObservable() -> Observable<Element> { self }

  /// Subscribes.
  @inlinable
  public func subscribe(onNext: @escaping (Element) -> Void, onCompleted: (() -> Void)?) -> any Disposable {
    source(AnyObserver(next: onNext, completed: onCompleted))
  }

  @inlinable
  func subscribe(_ observer: AnyObserver<Element>) -> any Disposable { source(observer) }
}
