/// A stream that can be observed: an `Observable`, or a relay.
public protocol ObservableType<Element> {
  /// The type of the values.
  associatedtype Element

  /// The reading end, with no way to write.
  func asObservable() -> Observable<Element>

  /// Subscribes.
  ///
  /// - Parameters:
  ///   - onNext: called with each value, on the tree, during the call that caused it.
  ///   - onCompleted: called once after the last value, if the stream ends before the subscription is disposed of.
  ///     Disposal never calls it, and a scope that ends disposes of its subscriptions: to hand a stream to a reader that
  ///     must be notified of the end of the scope, use `values(boundTo:)`.
  /// - Returns: the subscription, to be bound to a scope. Once it is disposed of, nothing is delivered.
  func subscribe(onNext: @escaping (Element) -> Void, onCompleted: (() -> Void)?) -> any Disposable
}

extension ObservableType {
  /// Subscribes.
  ///
  /// - Parameter onNext: called with each value, on the tree, during the call that caused it.
  /// - Returns: the subscription, to be bound to a scope with `disposeOnDeactivate(interactor:)`. Once it is disposed
  ///   of, nothing is delivered.
  @inlinable
  public func subscribe(onNext: @escaping (Element) -> Void) -> any Disposable {
    subscribe(onNext: onNext, onCompleted: nil)
  }
}
