/// A stream that has a value at all times, and delivers it to each new subscriber at once.
///
/// `accept(_:)` stores the value first and then delivers it, so `value` is the newest one also during a delivery. A value
/// accepted during a delivery is delivered after it: every subscriber sees all values, in one order. The previous value is
/// released after the delivery of the new one.
///
/// The relay is the writing end. Keep it private, and hand out `asObservable()`, which can only be read. When the relay is
/// released, its stream ends and its subscribers are notified. A relay belongs to its tree, and is used on its actor.
public final class BehaviorRelay<Element>: ObservableType {
  @usableFromInline let subject: Subject<Element>

  /// The value last accepted.
  @inlinable
  public var value: Element {
    // Set by the initializer, and never taken away.
    subject.latest.unsafelyUnwrapped
  }

  /// Creates a relay.
  ///
  /// - Parameter value: the first value.
  @inlinable
  public init(value: Element) { subject = Subject(latest: value) }

  @inlinable
  deinit { subject.complete() }

  /// Stores a value and delivers it to all subscribers, in the order in which they subscribed.
  ///
  /// - Complexity: linear in the number of subscribers.
  @inlinable
  public func accept(_ element: Element) { subject.accept(element) }

  /// Ends the stream. The value stays what it was.
  package func complete() { subject.complete() }

  /// The reading end.
  @inlinable
  public func asObservable() -> Observable<Element> { Observable(source: subject.subscribe) }

  /// Subscribes without an intermediate observable.
  @inlinable
  public func subscribe(onNext: @escaping (Element) -> Void, onCompleted: (() -> Void)?) -> any Disposable {
    subject.subscribe(AnyObserver(next: onNext, completed: onCompleted))
  }
}

/// A stream of events: a subscriber receives the values that are accepted after it has subscribed.
///
/// A value accepted during a delivery is delivered after it: every subscriber sees the values in one order. The relay
/// is the writing end. Keep it private, and hand out `asObservable()`, which can only be read. When the relay is released,
/// its stream ends and its subscribers are notified. A relay belongs to its tree, and is used on its actor.
public final class PublishRelay<Element>: ObservableType {
  @usableFromInline let subject = Subject<Element>()

  /// Creates a relay.
  @inlinable
  public init() {}

  @inlinable
  deinit { subject.complete() }

  /// Delivers a value to all subscribers, in the order in which they subscribed.
  ///
  /// - Complexity: linear in the number of subscribers.
  @inlinable
  public func accept(_ element: Element) { subject.send(element) }

  func complete() { subject.complete() }

  /// The reading end.
  @inlinable
  public func asObservable() -> Observable<Element> { Observable(source: subject.subscribe) }

  /// Subscribes without an intermediate observable.
  @inlinable
  public func subscribe(onNext: @escaping (Element) -> Void, onCompleted: (() -> Void)?) -> any Disposable {
    subject.subscribe(AnyObserver(next: onNext, completed: onCompleted))
  }
}
