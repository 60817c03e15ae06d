// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// A stream with a current value, which each new subscriber receives at once.
///
/// `accept(_:)` stores the value before delivering it, so `value` is the latest even during a delivery. A value
/// accepted during a delivery is enqueued: each subscriber receives all values in one order. The previous value is
/// released after the delivery of the new one.
///
/// The relay is the writable side: keep it private and pass on `asObservable()`, which is read-only. When the relay
/// is released, its stream completes. A later subscriber to its observable receives the last value, then the
/// completion. A relay belongs to its tree, and is used on the tree's actor.
public final class BehaviorRelay<Element>: ObservableType {
  @usableFromInline let subject: StateSubject<Element>

  /// The last value accepted.
  @inlinable
  public var value: Element {
    #if DEBUG
      subject.checkIsolation()
    #endif
    return subject.latest
  }

  /// Creates a relay.
  ///
  /// - Parameter value: the first value.
  @inlinable
  public init(value: Element) { subject = StateSubject(latest: value) }

  @inlinable
  deinit { subject.complete() }

  /// Stores a value and delivers it to all subscribers, in the order in which they subscribed.
  ///
  /// - Complexity: O(*n*) in the number of subscribers.
  @inlinable
  public func accept(_ element: Element) { subject.accept(element) }

  /// Ends the stream. The value stays what it was.
  package func complete() { subject.complete() }

  /// The stream as a read-only observable.
  @inlinable
  public func asObservable() -> Observable<Element> { Observable(source: subject.subscribe) }

  /// Subscribes without an intermediate observable.
  @inlinable
  public func subscribe(onNext: @escaping (Element) -> Void, onCompleted: (() -> Void)?) -> any Disposable {
    subject.subscribe(AnyObserver(next: onNext, completed: onCompleted))
  }
}

/// A stream of events: a subscriber receives the values accepted after it has subscribed.
///
/// A value accepted during a delivery is enqueued: each subscriber receives the values in one order. The relay is the
/// writable side: keep it private and pass on `asObservable()`, which is read-only. When the relay is released, its
/// stream completes. A relay belongs to its tree, and is used on the tree's actor.
public final class PublishRelay<Element>: ObservableType {
  @usableFromInline let subject = Subject<Element>()

  /// Creates a relay.
  @inlinable
  public init() {}

  @inlinable
  deinit { subject.complete() }

  /// Delivers a value to all subscribers, in the order in which they subscribed.
  ///
  /// - Complexity: O(*n*) in the number of subscribers.
  @inlinable
  public func accept(_ element: Element) { subject.send(element) }

  /// The stream as a read-only observable.
  @inlinable
  public func asObservable() -> Observable<Element> { Observable(source: subject.subscribe) }

  /// Subscribes without an intermediate observable.
  @inlinable
  public func subscribe(onNext: @escaping (Element) -> Void, onCompleted: (() -> Void)?) -> any Disposable {
    subject.subscribe(AnyObserver(next: onNext, completed: onCompleted))
  }
}
