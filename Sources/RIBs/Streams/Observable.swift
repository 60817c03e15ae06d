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

/// Receives the values of a stream, and its end.
public struct AnyObserver<Element> {
  @usableFromInline let next: (Element) -> Void
  @usableFromInline let completed: (() -> Void)?

  @inlinable
  init(next: @escaping (Element) -> Void, completed: (() -> Void)? = nil) {
    self.next = next
    self.completed = completed
  }

  /// Delivers a value.
  @inlinable
  public func onNext(_ element: Element) { next(element) }

  /// Delivers the end: nothing comes after it.
  @inlinable
  public func onCompleted() { completed?() }
}

extension Observable {
  /// A stream that runs a closure for each subscription.
  ///
  /// What the closure delivers after the end, or after the subscription was disposed of, is discarded.
  ///
  /// - Parameter subscribe: called on the tree for each subscription. It delivers to the observer, and returns what is
  ///   disposed of when the subscription ends: when it is disposed of, or when the observer was notified of the end.
  public static func create(_ subscribe: @escaping (AnyObserver<Element>) -> any Disposable) -> Observable<Element> {
    Observable { observer in
      let sink = Sink(observer)
      sink.add(subscribe(AnyObserver(next: sink.next, completed: sink.complete)))
      return sink
    }
  }

  /// A stream of one value.
  public static func just(_ element: Element) -> Observable<Element> {
    Observable { observer in
      observer.onNext(element)
      observer.onCompleted()
      return EmptyDisposable()
    }
  }

  /// A stream that ends at once, without a value.
  public static func empty() -> Observable<Element> {
    Observable { observer in
      observer.onCompleted()
      return EmptyDisposable()
    }
  }

  /// A stream that never delivers and never ends.
  public static func never() -> Observable<Element> { Observable { _ in EmptyDisposable() } }
}
