// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

public import RIBs

/// A receiver of values and of a completion: a subject, or the observer of `Observable.create`.
public protocol ObserverType<Element> {
  /// The type of the values.
  associatedtype Element

  /// Delivers a value.
  func onNext(_ element: Element)

  /// Delivers the completion. Nothing may follow.
  func onCompleted()
}

extension AnyObserver: ObserverType {}

/// A stream of events that can be ended: subscribers receive the values that come after their subscription.
///
/// As in Rx, without `onError`; and it completes when it is released, as relays do here. What is sent during a delivery is
/// enqueued, also the completion. New code uses `PublishRelay`.
public final class PublishSubject<Element>: Observable<Element>, ObserverType {
  /// Nil after the completion.
  private var relay: PublishRelay<Element>?

  /// Creates an open subject.
  public init() {
    let relay = PublishRelay<Element>()
    let stream = relay.asObservable()
    self.relay = relay
    super.init { observer in stream.subscribe(onNext: observer.onNext, onCompleted: observer.onCompleted) }
  }

  /// Delivers a value to all subscribers; ignored after the completion.
  public func onNext(_ element: Element) { relay?.accept(element) }

  /// Completes the stream.
  public func onCompleted() {
    // Released outside the access: a subscriber may use this subject.
    let ending = relay
    relay = nil
    withExtendedLifetime(ending) {}
  }

  /// This subject, for code that only writes.
  public func asObserver() -> PublishSubject<Element> { self }
}

/// A stream of events that delivers its last values to each new subscriber first.
///
/// As in Rx, without `onError`; and it completes when it is released. A subscriber also receives what is sent while the
/// stored values are delivered to it; in Rx it doesn't.
public final class ReplaySubject<Element>: Observable<Element>, ObserverType {
  private let live: PublishSubject<Element>
  private let buffer: Buffer
  private var hasCompleted = false

  /// The last values. A separate object, which subscriptions hold.
  private final class Buffer {
    private let size: Int?
    private var elements: [Element] = []
    /// The number of the first value in the buffer.
    private var first = 0

    init(_ size: Int?) { self.size = size }

    func append(_ element: Element) {
      elements.append(element)
      guard let size, elements.count > size else { return }
      first += 1
      // Released outside the access.
      let oldest = elements.removeFirst()
      withExtendedLifetime(oldest) {}
    }

    /// Delivers all values, and those that are appended meanwhile.
    func replay(to observer: AnyObserver<Element>) {
      var number = first
      while number < first + elements.count {
        number = max(number, first)
        let element = elements[number - first]
        number += 1
        observer.onNext(element)
      }
    }
  }

  private init(size: Int?) {
    let buffer = Buffer(size)
    let live = PublishSubject<Element>()
    self.buffer = buffer
    self.live = live
    // `create` delivers nothing after disposal, also while the buffer is replayed.
    let stream = Observable<Element>.create { [weak live] observer in
      buffer.replay(to: observer)
      guard let live else {
        observer.onCompleted()
        return Disposables.create()
      }
      return live.subscribe(onNext: observer.onNext, onCompleted: observer.onCompleted)
    }
    super.init { observer in stream.subscribe(onNext: observer.onNext, onCompleted: observer.onCompleted) }
  }

  /// Creates a subject that replays a number of values. As in Rx.
  public static func create(bufferSize: Int) -> ReplaySubject<Element> { ReplaySubject(size: max(0, bufferSize)) }

  /// Creates a subject that replays all values. As in Rx: it holds them all.
  public static func createUnbounded() -> ReplaySubject<Element> { ReplaySubject(size: nil) }

  /// Stores a value, and delivers it to all subscribers; ignored after the completion.
  public func onNext(_ element: Element) {
    guard !hasCompleted else { return }
    buffer.append(element)
    live.onNext(element)
  }

  /// Completes the stream. A later subscriber receives the stored values, then the completion.
  public func onCompleted() {
    hasCompleted = true
    live.onCompleted()
  }

  /// This subject, for code that only writes.
  public func asObserver() -> ReplaySubject<Element> { self }
}

/// A stream with a current value, which each new subscriber receives at once.
///
/// As in Rx, without `onError`: after `onCompleted`, a new subscriber receives the completion only. It also completes when
/// it is released; then a new subscriber to its stream receives the last value first. New code uses `BehaviorRelay`.
public final class BehaviorSubject<Element>: Observable<Element>, ObserverType {
  /// Nil after the completion.
  private var relay: BehaviorRelay<Element>?
  private var last: Element
  private let completion: Completion

  /// Whether `onCompleted` was called. A separate object, which subscriptions hold.
  private final class Completion { var wasCalled = false }

  /// Creates an open subject.
  ///
  /// - Parameter value: the first value.
  public init(value: Element) {
    let relay = BehaviorRelay(value: value)
    let stream = relay.asObservable()
    let completion = Completion()
    self.relay = relay
    self.completion = completion
    last = value
    super.init { observer in
      guard !completion.wasCalled else {
        observer.onCompleted()
        return Disposables.create()
      }
      return stream.subscribe(onNext: observer.onNext, onCompleted: observer.onCompleted)
    }
  }

  /// The current value. It never throws; in Rx it throws the error of the stream.
  public func value() throws -> Element { relay?.value ?? last }

  /// Stores a value and delivers it to all subscribers; ignored after the completion.
  public func onNext(_ element: Element) { relay?.accept(element) }

  /// Completes the stream. The value stays.
  public func onCompleted() {
    // Released outside the accesses: a subscriber may use this subject.
    completion.wasCalled = true
    let ending = relay
    if let ending {
      let previous = last
      last = ending.value
      withExtendedLifetime(previous) {}
    }
    relay = nil
    withExtendedLifetime(ending) {}
  }

  /// This subject, for code that only writes.
  public func asObserver() -> BehaviorSubject<Element> { self }
}
