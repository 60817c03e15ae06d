// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

// Operators, subjects and Single as in RxSwift, for apps that move to trees: a template, yours to change.
//
// In Package.swift:
//
//   .target(name: "RxCompatibility", dependencies: [.product(name: "RIBs", package: "swift-ribs")]),

public import RIBs

// What holds for all of it:
// - No errors: streams carry values and a completion. `Single` has an error, and `catchAndReturn(_:)`.
// - No schedulers: a value is delivered during the call that caused it, on the tree. Where RxSwift takes a scheduler for
//   time, this takes an interactor or a worker, usually `self`: its scope ends the timers, and the tree's clock drives
//   them.
// - No threads, so there is no lock and no `share` against races.
// - A value that is sent during a delivery is delivered after it, in the same order to all subscribers.
//
// Each other difference stands in the comment of its operator, and in the article `MigratingFromUber`.
// Scripts/Adapters/Tests/RxScenarioTests of swift-ribs compares the operators with RxSwift 6.5.0.
//
// `Sources/RIBs/Streams` has the operators that interactors use daily: `map`, `flatMap`, `flatMapLatest`, `filter`,
// `combineLatest`, …. Delete from these files what your app does not use.

// MARK: Creating

extension Observable {
  /// The given values, then the completion. As `from(_:)`.
  public static func of(_ elements: Element...) -> Observable<Element> { from(elements) }

  /// The values of an array, then the completion.
  ///
  /// All are delivered during the subscription. In Rx a queue of the thread delivers them, so that two such streams take
  /// turns when they are combined: `merge(.of(1, 2), .of(3, 4))` delivers 1 2 3 4, and there 1 3 2 4.
  public static func from(_ elements: [Element]) -> Observable<Element> {
    create { observer in
      for element in elements { observer.onNext(element) }
      observer.onCompleted()
      return Disposables.create()
    }
  }

  /// The stream that a closure returns, called for each subscription. As in Rx.
  public static func deferred(_ factory: @escaping () -> Observable<Element>) -> Observable<Element> {
    create { observer in factory().subscribe(onNext: observer.onNext, onCompleted: observer.onCompleted) }
  }
}

// MARK: Combining

extension Observable {
  /// The values of each stream in turn: the next is subscribed to when the previous one has completed. As in Rx.
  ///
  /// A relay completes here when it is released; in RxRelay never.
  public static func concat(_ sources: [Observable<Element>]) -> Observable<Element> {
    create { observer in
      let current = Replaceable()
      var rest = sources[...]
      var isSubscribing = false
      var hasCompleted = true
      // A loop: a source that completes while it is subscribed to is disposed of before the next one, and many of them
      // need no stack.
      func followRest() {
        hasCompleted = true
        guard !isSubscribing else { return }
        isSubscribing = true
        while hasCompleted, !current.hasEnded {
          hasCompleted = false
          let turn = current.begin()
          guard let source = rest.popFirst() else {
            observer.onCompleted()
            break
          }
          current.hold(source.subscribe(onNext: observer.onNext, onCompleted: followRest), turn)
        }
        isSubscribing = false
      }
      followRest()
      return current
    }
  }

  /// The values of each stream in turn. As in Rx.
  public static func concat(_ sources: Observable<Element>...) -> Observable<Element> { concat(sources) }

  /// Combines the first values of two streams, then the second values, and so on.
  ///
  /// Completes when a stream has completed and its values are used up. In Rx, it completes when all streams have; the
  /// values are the same.
  public static func zip<A: ObservableType, B: ObservableType>(
    _ a: A, _ b: B, resultSelector combine: @escaping (A.Element, B.Element) -> Element
  ) -> Observable<Element> {
    create { observer in
      let (queueA, queueB) = (Queue<A.Element>(), Queue<B.Element>())
      func deliver() {
        while !queueA.isEmpty, !queueB.isEmpty, let a = queueA.next(), let b = queueB.next() {
          observer.onNext(combine(a, b))
        }
        if queueA.isUsedUp || queueB.isUsedUp { observer.onCompleted() }
      }
      let one = a.subscribe(
        onNext: { element in
          queueA.append(element)
          deliver()
        },
        onCompleted: {
          queueA.isComplete = true
          deliver()
        })
      let two = b.subscribe(
        onNext: { element in
          queueB.append(element)
          deliver()
        },
        onCompleted: {
          queueB.isComplete = true
          deliver()
        })
      return Disposables.create(one, two)
    }
  }

  /// Combines the first values of three streams, then the second values, and so on.
  public static func zip<A: ObservableType, B: ObservableType, C: ObservableType>(
    _ a: A, _ b: B, _ c: C, resultSelector combine: @escaping (A.Element, B.Element, C.Element) -> Element
  ) -> Observable<Element> {
    zip(Observable<(A.Element, B.Element)>.zip(a, b) { ($0, $1) }, c) { combine($0.0, $0.1, $1) }
  }

  /// Combines the first values of four streams, then the second values, and so on.
  public static func zip<A: ObservableType, B: ObservableType, C: ObservableType, D: ObservableType>(
    _ a: A, _ b: B, _ c: C, _ d: D,
    resultSelector combine: @escaping (A.Element, B.Element, C.Element, D.Element) -> Element
  ) -> Observable<Element> {
    zip(Observable<(A.Element, B.Element, C.Element)>.zip(a, b, c) { ($0, $1, $2) }, d) {
      combine($0.0, $0.1, $0.2, $1)
    }
  }

  /// Pairs of the first values of two streams, of the second values, and so on.
  public static func zip<A: ObservableType, B: ObservableType>(_ a: A, _ b: B) -> Observable<Element>
  where Element == (A.Element, B.Element) { zip(a, b) { ($0, $1) } }

  /// Combines the latest values of four streams whenever one delivers, once all have delivered.
  ///
  /// Completes when all have completed, or at once when one completes without a value: nothing can follow. In Rx, it
  /// waits for the others then.
  public static func combineLatest<A: ObservableType, B: ObservableType, C: ObservableType, D: ObservableType>(
    _ a: A, _ b: B, _ c: C, _ d: D,
    resultSelector combine: @escaping (A.Element, B.Element, C.Element, D.Element) -> Element
  ) -> Observable<Element> {
    let triple = Observable<(A.Element, B.Element, C.Element)>.combineLatest(a, b, c) { ($0, $1, $2) }
    return combineLatest(triple, d) { combine($0.0, $0.1, $0.2, $1) }
  }

  /// Delivers the latest values of four streams whenever one delivers, once all have delivered.
  public static func combineLatest<A: ObservableType, B: ObservableType, C: ObservableType, D: ObservableType>(
    _ a: A, _ b: B, _ c: C, _ d: D
  ) -> Observable<Element> where Element == (A.Element, B.Element, C.Element, D.Element) {
    combineLatest(a, b, c, d) { ($0, $1, $2, $3) }
  }

  /// Combines the latest values of a collection of streams whenever one delivers, once all have delivered.
  ///
  /// Completes as `combineLatest` of four does. An empty collection delivers the result of an empty array, and completes.
  public static func combineLatest<Source: ObservableType>(
    _ sources: [Source], resultSelector combine: @escaping ([Source.Element]) -> Element
  ) -> Observable<Element> {
    create { observer in
      let latest = Queue<Source.Element?>(repeating: nil, count: sources.count)
      var live = sources.count
      func end(withoutValue: Bool) {
        live -= 1
        if live == 0 || withoutValue { observer.onCompleted() }
      }
      if sources.isEmpty {
        observer.onNext(combine([]))
        observer.onCompleted()
      }
      let subscriptions = Subscriptions()
      for (index, source) in sources.enumerated() {
        subscriptions.add(
          source.subscribe(
            onNext: { element in
              latest.replace(element, at: index)
              let values = latest.elements.compactMap { $0 }
              if values.count == sources.count { observer.onNext(combine(values)) }
            },
            onCompleted: { end(withoutValue: latest.elements[index] == nil) }))
      }
      return subscriptions
    }
  }

  /// Delivers the latest values of a collection of streams whenever one delivers, once all have delivered.
  public static func combineLatest<Source: ObservableType>(_ sources: [Source]) -> Observable<Element>
  where Element == [Source.Element] { combineLatest(sources) { $0 } }
}

extension ObservableType {
  /// The values of this stream, then those of another. As in Rx.
  public func concat(_ next: some ObservableType<Element>) -> Observable<Element> {
    .concat([asObservable(), next.asObservable()])
  }

  /// The values until another stream delivers one, then the completion. As in Rx.
  public func take(until other: some ObservableType) -> Observable<Element> {
    let source = asObservable()
    return .create { observer in
      let end = other.subscribe(onNext: { _ in observer.onCompleted() })
      return Disposables.create(
        source.subscribe(onNext: observer.onNext, onCompleted: observer.onCompleted), end)
    }
  }

  /// The values from when another stream has delivered one. As in Rx, this stream is subscribed to first.
  ///
  /// Completes with this stream. In Rx it never completes if the other stream has not delivered a value before.
  public func skip(until other: some ObservableType) -> Observable<Element> {
    let source = asObservable()
    return .create { observer in
      var isOpen = false
      let values = source.subscribe(onNext: { if isOpen { observer.onNext($0) } }, onCompleted: observer.onCompleted)
      let opening = Replaceable()
      let turn = opening.begin()
      opening.hold(
        other.subscribe(onNext: { _ in
          isOpen = true
          opening.dispose()
        }), turn)
      return Disposables.create(values, opening)
    }
  }

  /// The values while a condition holds, then the completion. As in Rx.
  public func take(while condition: @escaping (Element) -> Bool) -> Observable<Element> {
    let source = asObservable()
    return .create { observer in
      source.subscribe(
        onNext: { if condition($0) { observer.onNext($0) } else { observer.onCompleted() } },
        onCompleted: observer.onCompleted)
    }
  }

  /// One subscription to this stream for all subscribers of the result, while it has any. As in Rx, with the lifetime
  /// `.whileConnected`.
  ///
  /// A relay needs none: it delivers one value to all. Use this where a subscription has effects, as with `create`.
  ///
  /// - Parameter count: how many of the last values a later subscriber receives first.
  public func share(replay count: Int = 0) -> Observable<Element> {
    let shared = SharedSource(asObservable(), replaying: count)
    return .create { observer in shared.subscribe(observer) }
  }
}

// MARK: Effects

extension ObservableType {
  /// Calls closures beside the subscriber's. As in Rx, without `onError`.
  ///
  /// `onDispose` is called once, when the subscription ends in any way. It precedes the subscriber's `onCompleted`, unless
  /// the source completes while it is subscribed to; in Rx it follows.
  ///
  /// - Parameters:
  ///   - onNext: called with each value before the subscriber.
  ///   - afterNext: called with each value after the subscriber.
  ///   - onCompleted: called before the subscriber is notified of the completion.
  ///   - onSubscribe: called before the subscription.
  ///   - onSubscribed: called after the subscription.
  ///   - onDispose: called when the subscription ends.
  public func `do`(
    onNext: ((Element) -> Void)? = nil, afterNext: ((Element) -> Void)? = nil, onCompleted: (() -> Void)? = nil,
    onSubscribe: (() -> Void)? = nil, onSubscribed: (() -> Void)? = nil, onDispose: (() -> Void)? = nil
  ) -> Observable<Element> {
    let source = asObservable()
    return .create { observer in
      onSubscribe?()
      let subscription = source.subscribe(
        onNext: { element in
          onNext?(element)
          observer.onNext(element)
          afterNext?(element)
        },
        onCompleted: {
          onCompleted?()
          observer.onCompleted()
        })
      onSubscribed?()
      return Disposables.create(subscription, Disposables.create { onDispose?() })
    }
  }

  /// Writes the subscription, each value, the completion and the end of the subscription. As in Rx, without the time.
  ///
  /// - Parameters:
  ///   - identifier: at the start of each line. Defaults to the call site.
  ///   - write: receives the lines. Defaults to standard output.
  public func debug(
    _ identifier: String? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    write: @escaping (String) -> Void = { print($0) }
  ) -> Observable<Element> {
    let name = identifier ?? "\(fileID):\(line)"
    return `do`(
      onNext: { write("\(name) -> next \($0)") }, onCompleted: { write("\(name) -> completed") },
      onSubscribe: { write("\(name) -> subscribed") }, onDispose: { write("\(name) -> disposed") })
  }

  /// Each value with an object that the stream does not retain; completes when the object has been released. As in Rx.
  ///
  /// `subscribe(with:onNext:)` does the same for a subscriber.
  public func withUnretained<Object: AnyObject>(_ object: Object) -> Observable<(Object, Element)> {
    withUnretained(object) { ($0, $1) }
  }

  /// The result of a closure for each value with an object that the stream does not retain. As in Rx.
  public func withUnretained<Object: AnyObject, Result>(
    _ object: Object, resultSelector: @escaping (Object, Element) -> Result
  ) -> Observable<Result> {
    let source = asObservable()
    return .create { [weak object] observer in
      source.subscribe(
        onNext: { element in
          if let object { observer.onNext(resultSelector(object, element)) } else { observer.onCompleted() }
        },
        onCompleted: observer.onCompleted)
    }
  }
}

// MARK: Binding

extension ObservableType {
  /// Delivers the values to an observer, such as a subject. The completion too, as in Rx.
  public func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable
  where Observer.Element == Element { subscribe(onNext: observer.onNext, onCompleted: observer.onCompleted) }

  /// Subscribes. As in Rx.
  public func bind(onNext: @escaping (Element) -> Void) -> any Disposable { subscribe(onNext: onNext) }

  /// Subscribes with an object that the subscription does not retain. As in Rx.
  public func bind<Object: AnyObject>(
    with object: Object, onNext: @escaping (Object, Element) -> Void
  ) -> any Disposable { subscribe(with: object, onNext: onNext) }

  /// Delivers the values to observers. As in RxCocoa.
  public func bind<Observer: ObserverType>(to observers: Observer...) -> any Disposable
  where Observer.Element == Element {
    subscribe(
      onNext: { element in for observer in observers { observer.onNext(element) } },
      onCompleted: { for observer in observers { observer.onCompleted() } })
  }

  /// Accepts the values on relays, which stay open at the end. As in RxRelay.
  public func bind(to relays: BehaviorRelay<Element>...) -> any Disposable {
    subscribe(onNext: { element in for relay in relays { relay.accept(element) } })
  }

  /// Accepts the values on relays of optional values. As in RxRelay.
  public func bind(to relays: BehaviorRelay<Element?>...) -> any Disposable {
    subscribe(onNext: { element in for relay in relays { relay.accept(element) } })
  }

  /// Accepts the values on relays, which stay open at the end. As in RxRelay.
  public func bind(to relays: PublishRelay<Element>...) -> any Disposable {
    subscribe(onNext: { element in for relay in relays { relay.accept(element) } })
  }

  /// Accepts the values on relays of optional values. As in RxRelay.
  public func bind(to relays: PublishRelay<Element?>...) -> any Disposable {
    subscribe(onNext: { element in for relay in relays { relay.accept(element) } })
  }
}

// MARK: Schedulers

/// The main scheduler of RxSwift, so that `observe(on: MainScheduler.instance)` compiles. It does nothing: streams stay on
/// their tree.
///
/// There are no background schedulers. Put work that must leave the tree into `run` or a `Single`.
public enum MainScheduler: Sendable {
  case instance
  case asyncInstance
}

extension ObservableType {
  /// This stream: values stay on the tree, and are delivered during the call that caused them.
  public func observe(on scheduler: MainScheduler) -> Observable<Element> { asObservable() }

  /// This stream: subscriptions stay on the tree.
  public func subscribe(on scheduler: MainScheduler) -> Observable<Element> { asObservable() }
}

// MARK: Parts

/// Holds one subscription at a time.
final class Replaceable: Disposable {
  private var subscription: (any Disposable)?
  private var turn = 0
  private(set) var hasEnded = false

  /// Begins the next subscription; the previous one has completed or is disposed of.
  func begin() -> Int {
    let turn = beginBeforeDisposal()
    replace(with: nil)
    return turn
  }

  /// Begins the next subscription. The previous one is disposed of when the next is held.
  func beginBeforeDisposal() -> Int {
    turn += 1
    return turn
  }

  /// Holds the subscription of a turn, unless the next turn began while it was made.
  func hold(_ new: any Disposable, _ its: Int) {
    guard its == turn, !hasEnded else { return new.dispose() }
    replace(with: new)
  }

  private func replace(with new: (any Disposable)?) {
    let previous = subscription
    subscription = new
    previous?.dispose()
  }

  func dispose() {
    hasEnded = true
    _ = begin()
  }
}

/// Holds several subscriptions, and those that are added after its end for no time.
final class Subscriptions: Disposable {
  private var parts: [any Disposable] = []
  private(set) var hasEnded = false

  func add(_ part: any Disposable) { if hasEnded { part.dispose() } else { parts.append(part) } }

  func dispose() {
    hasEnded = true
    let ending = parts
    parts = []
    for part in ending { part.dispose() }
  }
}

/// Values that wait. Replaced and removed values are released outside the access: their `deinit` may use the stream.
final class Queue<Element> {
  private var storage: [Element]
  /// The index of the first element that is left.
  private var head = 0
  var isComplete = false

  init() { storage = [] }

  init(repeating element: Element, count: Int) { storage = Array(repeating: element, count: count) }

  var elements: ArraySlice<Element> { storage[head...] }
  var isEmpty: Bool { head == storage.count }
  var isUsedUp: Bool { isComplete && isEmpty }

  func append(_ element: Element) { storage.append(element) }

  /// - Complexity: amortized O(1).
  func next() -> Element? {
    guard head < storage.count else { return nil }
    let element = storage[head]
    head += 1
    guard head * 2 >= storage.count else { return element }
    let previous = storage
    storage = Array(previous[head...])
    head = 0
    return withExtendedLifetime(previous) { element }
  }

  func replace(_ element: Element, at index: Int) {
    let previous = storage[index]
    storage[index] = element
    withExtendedLifetime(previous) {}
  }

  func removeAll() {
    let removed = storage
    storage = []
    head = 0
    withExtendedLifetime(removed) {}
  }
}

/// A stream with one subscription for all its subscribers.
private final class SharedSource<Element> {
  private let source: Observable<Element>
  private let count: Int
  private var connection: Connection?

  private final class Connection {
    let subject: ReplaySubject<Element>
    let subscription = Replaceable()
    var subscribers = 0

    init(replaying count: Int) { subject = ReplaySubject.create(bufferSize: count) }
  }

  init(_ source: Observable<Element>, replaying count: Int) {
    self.source = source
    self.count = count
  }

  func subscribe(_ observer: AnyObserver<Element>) -> any Disposable {
    let existing = connection
    let connection = existing ?? Connection(replaying: count)
    self.connection = connection
    connection.subscribers += 1
    let subscription = connection.subject.subscribe(onNext: observer.onNext, onCompleted: observer.onCompleted)
    if existing == nil {
      let turn = connection.subscription.begin()
      connection.subscription.hold(
        source.subscribe(
          onNext: connection.subject.onNext,
          onCompleted: {
            self.end(connection)
            connection.subject.onCompleted()
          }), turn)
    }
    return Disposables.create(
      subscription,
      Disposables.create {
        connection.subscribers -= 1
        if connection.subscribers == 0 { self.end(connection) }
      })
  }

  private func end(_ ending: Connection) {
    if connection === ending { connection = nil }
    ending.subscription.dispose()
  }
}
