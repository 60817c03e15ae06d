// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// Subscriptions and streams that are bound to a scope.
extension Disposable {
  /// Disposes of this when the interactor resigns.
  ///
  /// If the interactor is not active, this is disposed of at once and misuse is reported: a subscription made before
  /// activation, or in a late callback, would otherwise never end.
  ///
  /// - Parameter interactor: the interactor whose current activation limits the subscription.
  /// - Returns: the subscription, to dispose of it earlier.
  @discardableResult
  public func disposeOnDeactivate(interactor: Interactor) -> Disposables.Bound {
    interactor.bind(self)
    return Disposables.Bound(self)
  }

  /// Disposes of this when the worker stops.
  ///
  /// If the worker is not running, this is disposed of at once and misuse is reported: it would otherwise never end.
  ///
  /// - Parameter worker: the worker whose current run limits the subscription.
  /// - Returns: the subscription, to dispose of it earlier.
  @discardableResult
  public func disposeOnStop(_ worker: Worker) -> Disposables.Bound {
    worker.bind(self)
    return Disposables.Bound(self)
  }
}

extension ObservableType {
  /// Delivers values only while a scope is active.
  ///
  /// Subscribes at once. While the scope is inactive, the latest value is kept and delivered on activation; a
  /// delivered value is not delivered again. Completes with this stream, once no value is kept, and with the scope's
  /// interactor.
  ///
  /// - Parameter scope: usually an interactor.
  public func confineTo(_ scope: any InteractorScope) -> Observable<Element> {
    let source = asObservable()
    let isActiveStream = scope.isActiveStream
    return .sinking { [weak scope] sink in
      let kept = Latest<Element?>(nil)
      // The stream says later than the scope that it has resigned, if a delivery of a kept value leads to that.
      var isActive = false
      var sourceHasEnded = false
      sink.add(
        isActiveStream.subscribe(
          onNext: { active in
            isActive = active
            guard active, scope?.isActive == true, let element = kept.exchange(nil) else { return }
            sink.next(element)
            if sourceHasEnded { sink.complete() }
          },
          onCompleted: sink.complete))
      guard sink.isOpen else { return }
      sink.add(
        source.subscribe(
          onNext: { element in
            guard isActive, scope?.isActive == true else { return kept.set(element) }
            _ = kept.exchange(nil)
            sink.next(element)
          },
          onCompleted: {
            sourceHasEnded = true
            if kept.value == nil { sink.complete() }
          }))
    }
  }

  /// Delivers the first values, then completes.
  ///
  /// - Parameter count: the number of values. If not positive, the result completes at once without subscribing to
  ///   this stream.
  public func take(_ count: Int) -> Observable<Element> {
    guard count > 0 else { return .empty() }
    let source = asObservable()
    return .sinking { sink in
      var left = count
      sink.add(
        source.subscribe(
          onNext: { element in
            guard left > 0 else { return }
            left -= 1
            let isLast = left == 0
            sink.next(element)
            if isLast { sink.complete() }
          },
          onCompleted: { if left > 0 { sink.complete() } }))
    }
  }
}

extension ObservableType {
  /// The newest element of a turn of the tree, delivered after the turn.
  ///
  /// At most one element is delivered for each turn. The delivery is a turn too: turns that wait for the tree already run
  /// before it, and then only the newest element of all of them is delivered. So use it for states, not for elements that
  /// each matter.
  ///
  /// A command that changes a state in three steps delivers three elements, two of which are intermediate. After this
  /// operator it delivers the last. A turn is what runs on the tree without interruption: a call of a host, or a part of
  /// bound work between two `await`s.
  ///
  /// ```swift
  /// final class OrderInteractor: Interactor {
  ///   private let order = BehaviorRelay(value: 0)
  ///
  ///   var settledOrder: Observable<Int> { order.asObservable().settled(in: self) }
  /// }
  /// ```
  ///
  /// Rx has no such operator. The first element is delivered after the turn of the subscription, also that of a
  /// `BehaviorRelay`. When the source completes, the pending element is delivered first. After the end of the tree nothing
  /// is delivered. Outside a tree there are no turns, and each element is delivered at once.
  ///
  /// - Parameter interactor: an interactor of the tree.
  /// - Returns: the stream.
  public func settled(in interactor: Interactor) -> Observable<Element> {
    let source = asObservable()
    return .sinking { [weak interactor] sink in
      let pending = Latest<Element?>(nil)
      var sourceHasEnded = false
      // The tree in whose next turn the pending element is delivered. It is not delivered if that tree ends.
      weak var scheduledIn: TreeCore?
      let deliver = {
        guard let element = pending.exchange(nil) else { return }
        sink.next(element)
        if sourceHasEnded, pending.value == nil { sink.complete() }
      }
      sink.add(
        source.subscribe(
          onNext: { element in
            let isScheduled = pending.value != nil && scheduledIn?.hasEnded == false
            pending.set(element)
            guard !isScheduled else { return }
            guard let tree = interactor?.tree else { return deliver() }
            scheduledIn = tree
            tree.runAfterTurn(deliver)
          },
          onCompleted: {
            sourceHasEnded = true
            if pending.value == nil { sink.complete() }
          }))
    }
  }
}
