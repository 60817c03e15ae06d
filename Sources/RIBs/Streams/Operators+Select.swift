extension ObservableType {
  /// Delivers the values that satisfy a predicate.
  @inlinable
  public func filter(_ isIncluded: @escaping (Element) -> Bool) -> Observable<Element> {
    let source = asObservable()
    return Observable { observer in
      source.subscribe(
        AnyObserver(
          next: { element in
            if isIncluded(element) { observer.onNext(element) }
          },
          completed: observer.completed))
    }
  }

  /// Delivers a value unless a closure considers it equal to the previous one.
  @inlinable
  public func distinctUntilChanged(_ areEqual: @escaping (Element, Element) -> Bool) -> Observable<Element> {
    let source = asObservable()
    return Observable { observer in
      let last = Latest<Element?>(nil)
      return source.subscribe(
        AnyObserver(
          next: { element in
            if let delivered = last.value, areEqual(delivered, element) { return }
            let previous = last.exchange(element)
            observer.onNext(element)
            withExtendedLifetime(previous) {}
          },
          completed: observer.completed))
    }
  }

  /// Skips the first values.
  ///
  /// - Parameter count: the number of values to skip; none if not positive.
  @inlinable
  public func skip(_ count: Int) -> Observable<Element> {
    let source = asObservable()
    return Observable { observer in
      var left = count
      return source.subscribe(
        AnyObserver(
          next: { element in
            if left > 0 { left -= 1 } else { observer.onNext(element) }
          },
          completed: observer.completed))
    }
  }

  /// Delivers the first values, then completes.
  ///
  /// - Parameter count: the number of values. If not positive, the result completes at once without subscribing to
  ///   this stream.
  public func take(_ count: Int) -> Observable<Element> {
    guard count > 0 else { return .empty() }
    let source = asObservable()
    return Observable { observer in
      let sink = Sink(observer)
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
      return sink
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
    return Observable { [weak interactor] observer in
      let sink = Sink(observer)
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
            guard let tree = interactor?.node?.takeUnretainedValue().tree?.takeUnretainedValue() else {
              return deliver()
            }
            scheduledIn = tree
            tree.runAfterTurn(deliver)
          },
          onCompleted: {
            sourceHasEnded = true
            if pending.value == nil { sink.complete() }
          }))
      return sink
    }
  }
}

extension ObservableType where Element: Equatable {
  /// Delivers a value unless it equals the previous one.
  @inlinable
  public func distinctUntilChanged() -> Observable<Element> { distinctUntilChanged(==) }
}
