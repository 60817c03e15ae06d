// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

public import RIBs

/// One value that is to come, or an error: the result of a request.
///
/// As in Rx, except that nothing happens before the subscription is bound, because the work belongs to a scope:
///
/// ```swift
/// service.quote(for: trip)                     // Single<Quote>
///   .map(\.price)
///   .subscribe(onSuccess: { price in … }, onFailure: { error in … })
///   .disposeOnDeactivate(interactor: self)     // starts it
/// ```
///
/// The work ends with the scope, and the handlers are called on the tree while the scope is active. Without `onFailure`,
/// an error is passed to `didFail(_:of:)` of the interactor or the worker. New code uses `run` and `task`.
public struct Single<Element> {
  /// Starts the work for an owner.
  fileprivate let start: (TaskOwner, WorkPlace, @escaping (Result<Element, any Error>) -> Void) -> any Disposable

  fileprivate init(
    start: @escaping (TaskOwner, WorkPlace, @escaping (Result<Element, any Error>) -> Void) -> any Disposable
  ) { self.start = start }

  /// Work that runs off the tree, as the operation of `run` does.
  public init(_ work: @escaping @Sendable () async throws -> Element) where Element: Sendable {
    start = { owner, place, deliver in
      owner.run(
        fileID: place.fileID, line: place.line, work, then: { deliver(.success($0)) },
        onError: { deliver(.failure($0)) })
    }
  }

  /// A closure that is called on the tree, and delivers one result. As in Rx.
  ///
  /// - Parameter subscribe: called when the subscription is bound. It calls its argument with the result, on the tree,
  ///   and returns a disposable that is disposed of when the subscription ends.
  public static func create(
    subscribe: @escaping (_ single: @escaping (Result<Element, any Error>) -> Void) -> any Disposable
  ) -> Single<Element> {
    Single { _, _, deliver in
      let delivery = SingleDelivery(deliver)
      let subscription = subscribe(delivery.deliver)
      return Disposables.create(Disposables.create(with: delivery.end), subscription)
    }
  }

  /// A value. As in Rx.
  public static func just(_ element: Element) -> Single<Element> { of(.success(element)) }

  /// An error. As in Rx.
  public static func error(_ error: any Error) -> Single<Element> { of(.failure(error)) }

  /// No result. As in Rx.
  public static func never() -> Single<Element> { Single { _, _, _ in Disposables.create() } }

  private static func of(_ result: Result<Element, any Error>) -> Single<Element> {
    Single { _, _, deliver in
      deliver(result)
      return Disposables.create()
    }
  }
}

/// Delivers the first result of a closure, unless the subscription has ended before.
private final class SingleDelivery<Element> {
  private var receiver: ((Result<Element, any Error>) -> Void)?

  init(_ receiver: @escaping (Result<Element, any Error>) -> Void) { self.receiver = receiver }

  func deliver(_ result: Result<Element, any Error>) {
    let receiver = receiver
    self.receiver = nil
    receiver?(result)
  }

  func end() {
    let receiver = receiver
    self.receiver = nil
    withExtendedLifetime(receiver) {}
  }
}

extension Single {
  /// The result of a closure for the value. As in Rx: an error that it throws is the error of the result.
  public func map<New>(_ transform: @escaping (Element) throws -> New) -> Single<New> {
    Single<New> { [start] owner, place, deliver in
      start(owner, place) { result in deliver(result.flatMap { value in Result { try transform(value) } }) }
    }
  }

  /// The single that a closure returns for the value. As in Rx.
  public func flatMap<New>(_ transform: @escaping (Element) throws -> Single<New>) -> Single<New> {
    followed { result in
      do { return try transform(result.get()) } catch { return .error(error) }
    }
  }

  /// The single that a closure returns for an error. As in Rx.
  public func `catch`(_ handler: @escaping (any Error) throws -> Single<Element>) -> Single<Element> {
    followed { result in
      guard case .failure(let failure) = result else { return .of(result) }
      do { return try handler(failure) } catch { return .error(error) }
    }
  }

  /// A value in place of an error. As in Rx.
  public func catchAndReturn(_ element: Element) -> Single<Element> { `catch` { _ in .just(element) } }

  /// Calls closures beside the subscriber's. As in Rx.
  public func `do`(
    onSuccess: ((Element) -> Void)? = nil, onError: ((any Error) -> Void)? = nil
  ) -> Single<Element> {
    Single { [start] owner, place, deliver in
      start(owner, place) { result in
        switch result {
        case .success(let value): onSuccess?(value)
        case .failure(let error): onError?(error)
        }
        deliver(result)
      }
    }
  }

  /// This single: results are delivered on the tree.
  public func observe(on scheduler: MainScheduler) -> Single<Element> { self }

  /// This single: work started with `init(_:)` runs off the tree.
  public func subscribe(on scheduler: MainScheduler) -> Single<Element> { self }

  /// A stream of the value, for `flatMapLatest` and the like. Each subscription starts the work.
  ///
  /// Differs from Rx: streams carry no error, so an error is passed to `didFail(_:of:)`, and the stream completes. Put
  /// `catchAndReturn(_:)` before it to have a value.
  ///
  /// - Parameters:
  ///   - scheduler: the interactor or worker that the work is bound to, usually `self`.
  ///   - fileID: Defaults to the call site.
  ///   - line: Defaults to the call site.
  public func asObservable(
    scheduler: TaskOwner, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Observable<Element> {
    .create { [start, weak scheduler] observer in
      guard let scheduler else {
        observer.onCompleted()
        return Disposables.create()
      }
      let place = WorkPlace(fileID: fileID, line: line)
      return start(scheduler, place) { [weak scheduler] result in
        switch result {
        case .success(let value): observer.onNext(value)
        case .failure(let error): scheduler?.passOn(error, place)
        }
        observer.onCompleted()
      }
    }
  }

  /// Describes what to do with the result. Nothing happens before the subscription is bound.
  ///
  /// - Parameters:
  ///   - onSuccess: called with the value, on the tree, while the scope is active.
  ///   - onFailure: called with the error. Without it, the error is passed to `didFail(_:of:)`.
  /// - Returns: the subscription, to be bound with `disposeOnDeactivate(interactor:)`, which starts the work.
  public func subscribe(
    onSuccess: ((Element) -> Void)? = nil, onFailure: ((any Error) -> Void)? = nil
  ) -> SingleSubscription<Element> {
    SingleSubscription(single: self, onSuccess: onSuccess, onFailure: onFailure)
  }

  /// Describes what to do with the result, with an object that the subscription does not retain. As in Rx: once the object
  /// is released, the handlers are not called.
  ///
  /// - Parameters:
  ///   - object: the object that the handlers get, usually `self`.
  ///   - onSuccess: called with the object and the value, on the tree, while the scope is active.
  ///   - onFailure: called with the object and the error. Without it, the error is passed to `didFail(_:of:)`.
  /// - Returns: the subscription, to be bound with `disposeOnDeactivate(interactor:)`, which starts the work.
  public func subscribe<Object: AnyObject>(
    with object: Object, onSuccess: ((Object, Element) -> Void)? = nil,
    onFailure: ((Object, any Error) -> Void)? = nil
  ) -> SingleSubscription<Element> {
    func calling<Value>(_ handler: ((Object, Value) -> Void)?) -> ((Value) -> Void)? {
      handler.map { handler in { [weak object] value in if let object { handler(object, value) } } }
    }
    return subscribe(onSuccess: calling(onSuccess), onFailure: calling(onFailure))
  }

  /// Follows the single that a closure returns for the result.
  private func followed<New>(_ next: @escaping (Result<Element, any Error>) -> Single<New>) -> Single<New> {
    Single<New> { [start] owner, place, deliver in
      let current = Replaceable()
      let turn = current.begin()
      current.hold(
        start(owner, place) { [weak owner] result in
          guard let owner, !current.hasEnded else { return }
          let turn = current.beginBeforeDisposal()
          current.hold(next(result).start(owner, place, deliver), turn)
        }, turn)
      return current
    }
  }
}

/// A subscription to a `Single`, to be bound to a scope. Binding it starts the work.
public struct SingleSubscription<Element> {
  fileprivate let single: Single<Element>
  fileprivate let onSuccess: ((Element) -> Void)?
  fileprivate let onFailure: ((any Error) -> Void)?

  /// Starts the work. It ends when the interactor resigns. If the interactor is not active, nothing is started and misuse
  /// is reported.
  @discardableResult
  public func disposeOnDeactivate(
    interactor: Interactor, fileID: StaticString = #fileID, line: UInt = #line
  ) -> any Disposable {
    let run = SingleRun(self)
    run.disposeOnDeactivate(interactor: interactor)
    run.start(single, interactor, WorkPlace(fileID: fileID, line: line))
    return run
  }

  /// Starts the work. It ends when the worker stops. If the worker is not running, nothing is started and misuse is
  /// reported.
  @discardableResult
  public func disposeOnStop(
    _ worker: Worker, fileID: StaticString = #fileID, line: UInt = #line
  ) -> any Disposable {
    let run = SingleRun(self)
    run.disposeOnStop(worker)
    run.start(single, worker, WorkPlace(fileID: fileID, line: line))
    return run
  }
}

/// Where work was bound.
private struct WorkPlace {
  let fileID: StaticString
  let line: UInt
}

/// The work of a bound `Single`, which delivers one result, unless it is disposed of first.
private final class SingleRun<Element>: Disposable {
  /// Nil after the end.
  private var subscription: SingleSubscription<Element>?
  private let work = Replaceable()

  init(_ subscription: SingleSubscription<Element>) { self.subscription = subscription }

  var hasEnded: Bool { subscription == nil }

  func start(_ single: Single<Element>, _ owner: TaskOwner, _ place: WorkPlace) {
    guard !hasEnded else { return }
    let turn = work.begin()
    work.hold(single.start(owner, place) { [weak owner] result in self.end(result, owner, place) }, turn)
  }

  private func end(_ result: Result<Element, any Error>, _ owner: TaskOwner?, _ place: WorkPlace) {
    guard let subscription else { return }
    self.subscription = nil
    // As in Rx, the disposable of `create` is disposed of after the handlers have returned.
    defer { work.dispose() }
    switch result {
    case .success(let value): subscription.onSuccess?(value)
    case .failure(let error):
      if let onFailure = subscription.onFailure {
        onFailure(error)
      } else {
        owner?.passOn(error, place)
      }
    }
  }

  func dispose() {
    let released = subscription
    subscription = nil
    work.dispose()
    withExtendedLifetime(released) {}
  }
}

extension TaskOwner {
  /// Passes an error to `didFail(_:of:)` and to the tree's events, as an error of bound work.
  fileprivate func passOn(_ error: any Error, _ place: WorkPlace) {
    task(fileID: place.fileID, line: place.line) { throw error }
  }
}
