// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// A stream that can be observed: an `Observable` or a relay.
public protocol ObservableType<Element> {
  /// The type of the values.
  associatedtype Element

  /// The stream as a read-only observable.
  func asObservable() -> Observable<Element>

  /// Subscribes.
  ///
  /// - Parameters:
  ///   - onNext: called with each value, on the tree, during the call that caused it.
  ///   - onCompleted: called once after the last value, if the stream completes before the subscription is disposed
  ///     of. Disposal never calls it, and a scope that ends disposes of its subscriptions. Use `values(boundTo:)` for
  ///     a reader that must be notified of the end of the scope.
  /// - Returns: the subscription, to be bound to a scope. After disposal, nothing is delivered.
  func subscribe(onNext: @escaping (Element) -> Void, onCompleted: (() -> Void)?) -> any Disposable
}

extension ObservableType {
  /// Subscribes.
  ///
  /// - Parameter onNext: called with each value, on the tree, during the call that caused it.
  /// - Returns: the subscription, to be bound to a scope with `disposeOnDeactivate(interactor:)`. After disposal,
  ///   nothing is delivered.
  @inlinable
  public func subscribe(onNext: @escaping (Element) -> Void) -> any Disposable {
    subscribe(onNext: onNext, onCompleted: nil)
  }

  /// Subscribes with an object that the subscription does not retain, usually `self`.
  ///
  /// ```swift
  /// final class CountInteractor: Interactor {
  ///   private var count = 0
  ///
  ///   func follow(_ counts: Observable<Int>) {
  ///     counts
  ///       .subscribe(with: self, onNext: { owner, count in owner.count = count })
  ///       .disposeOnDeactivate(interactor: self)
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - object: passed to the closures. When it has been released, they are not called.
  ///   - onNext: called with each value, on the tree, during the call that caused it.
  ///   - onCompleted: called once after the last value; not after disposal.
  /// - Returns: the subscription, to be bound to a scope.
  public func subscribe<Object: AnyObject>(
    with object: Object, onNext: @escaping (Object, Element) -> Void, onCompleted: ((Object) -> Void)? = nil
  ) -> any Disposable {
    subscribe(
      onNext: { [weak object] element in if let object { onNext(object, element) } },
      onCompleted: { [weak object] in if let object { onCompleted?(object) } })
  }
}

/// A read-only stream of values.
///
/// Streams are synchronous: a value is delivered during the call that caused it, on the tree, without a lock or a
/// thread. A stream may complete, but carries no error: the work that feeds it reports its own errors. An observable
/// does nothing until it is subscribed to, and each subscription has its own state.
///
/// ```swift
/// timelineStream.tweets
///   .map(\.count)
///   .distinctUntilChanged()
///   .subscribe(onNext: { count in print(count) })
///   .disposeOnDeactivate(interactor: self)
/// ```
///
/// Subclass it for a stream that is written to in another way than by a relay, such as a subject.
open class Observable<Element>: ObservableType {
  @usableFromInline final let source: (AnyObserver<Element>) -> any Disposable

  /// Creates the stream of a subclass. Use `create(_:)` for other streams, which does not rely on the closure.
  ///
  /// - Parameter source: subscribes an observer. It must deliver nothing after completion or disposal.
  @inlinable
  public init(source: @escaping (AnyObserver<Element>) -> any Disposable) { self.source = source }

  /// This observable.
  @inlinable
  public final func asObservable() -> Observable<Element> { self }

  /// Subscribes.
  @inlinable
  public final func subscribe(onNext: @escaping (Element) -> Void, onCompleted: (() -> Void)?) -> any Disposable {
    source(AnyObserver(next: onNext, completed: onCompleted))
  }

  @inlinable
  final func subscribe(_ observer: AnyObserver<Element>) -> any Disposable { source(observer) }
}

/// Receives the values of a stream and its completion.
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

  /// Delivers the completion. Nothing may follow.
  @inlinable
  public func onCompleted() { completed?() }
}

extension Observable {
  /// A stream that runs a closure for each subscription.
  ///
  /// Values that the closure delivers after completion or disposal are discarded.
  ///
  /// - Parameter subscribe: called on the tree for each subscription. It delivers to the observer, and returns a
  ///   disposable that is disposed of when the subscription ends, by disposal or completion.
  public static func create(_ subscribe: @escaping (AnyObserver<Element>) -> any Disposable) -> Observable<Element> {
    sinking { sink in sink.add(subscribe(AnyObserver(next: sink.next, completed: sink.complete))) }
  }

  /// A stream of one value.
  public static func just(_ element: Element) -> Observable<Element> { empty().startWith(element) }

  /// A stream that completes at once, without a value.
  public static func empty() -> Observable<Element> {
    Observable { observer in
      observer.onCompleted()
      return EmptyDisposable()
    }
  }

  /// A stream that never delivers and never completes.
  public static func never() -> Observable<Element> { Observable { _ in EmptyDisposable() } }
}
