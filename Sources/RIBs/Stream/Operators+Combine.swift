extension ObservableType {
  /// Delivers a value first, then those of this stream.
  public func startWith(_ element: Element) -> Observable<Element> {
    let source = asObservable()
    return Observable { observer in
      observer.onNext(element)
      return source.subscribe(observer)
    }
  }

  /// Delivers, for each value of this stream, what a closure makes of it and the newest value of another.
  ///
  /// Values that come before the other stream has delivered one are left out. It ends with this stream.
  public func withLatestFrom<Other: ObservableType, Result>(
    _ other: Other, resultSelector combine: @escaping (Element, Other.Element) -> Result
  ) -> Observable<Result> {
    let source = asObservable()
    return Observable { observer in
      var latest: Other.Element?
      let otherSubscription = other.subscribe(onNext: { latest = $0 })
      let subscription = source.subscribe(
        AnyObserver(
          next: { element in
            if let latest { observer.onNext(combine(element, latest)) }
          },
          completed: {
            otherSubscription.dispose()
            observer.onCompleted()
          }))
      return Disposables.create(subscription, otherSubscription)
    }
  }

  /// Delivers, for each value of this stream, the newest value of another, if it has delivered one.
  public func withLatestFrom<Other: ObservableType>(_ other: Other) -> Observable<Other.Element> {
    withLatestFrom(other) { _, latest in latest }
  }
}

extension Observable {
  /// Delivers the values of several streams as they come, and ends when all have ended.
  public static func merge(_ sources: Observable<Element>...) -> Observable<Element> { merge(sources) }

  /// Delivers the values of several streams as they come, and ends when all have ended.
  public static func merge(_ sources: [Observable<Element>]) -> Observable<Element> {
    guard !sources.isEmpty else { return .empty() }
    return Observable { observer in
      var live = sources.count
      let completed = {
        live -= 1
        if live == 0 { observer.onCompleted() }
      }
      let subscriptions = sources.map { $0.subscribe(AnyObserver(next: observer.next, completed: completed)) }
      return ActionDisposable { for subscription in subscriptions { subscription.dispose() } }
    }
  }

  /// Delivers what a closure makes of the newest values of two streams, whenever either delivers, once both have.
  ///
  /// It ends when both have ended, or one of them without a value.
  public static func combineLatest<First: ObservableType, Second: ObservableType>(
    _ first: First, _ second: Second,
    resultSelector combine: @escaping (First.Element, Second.Element) -> Element
  ) -> Observable<Element> {
    Observable { observer in
      var latestFirst: First.Element?
      var latestSecond: Second.Element?
      var live = 2
      var isOver = false
      let subscriptions = SerialDisposable()
      func deliver() {
        if let latestFirst, let latestSecond { observer.onNext(combine(latestFirst, latestSecond)) }
      }
      func end(withoutValue: Bool) {
        live -= 1
        guard !isOver, live == 0 || withoutValue else { return }
        isOver = true
        subscriptions.dispose()
        observer.onCompleted()
      }
      let one = first.subscribe(
        onNext: {
          latestFirst = $0
          deliver()
        },
        onCompleted: { end(withoutValue: latestFirst == nil) })
      let two = second.subscribe(
        onNext: {
          latestSecond = $0
          deliver()
        },
        onCompleted: { end(withoutValue: latestSecond == nil) })
      subscriptions.set(Disposables.create(one, two))
      return subscriptions
    }
  }

  /// Delivers what a closure makes of the newest values of three streams, whenever one delivers, once all have.
  public static func combineLatest<First: ObservableType, Second: ObservableType, Third: ObservableType>(
    _ first: First, _ second: Second, _ third: Third,
    resultSelector combine: @escaping (First.Element, Second.Element, Third.Element) -> Element
  ) -> Observable<Element> {
    let pair = Observable<(First.Element, Second.Element)>.combineLatest(first, second) { ($0, $1) }
    return combineLatest(pair, third) { combine($0.0, $0.1, $1) }
  }

  /// Delivers the newest values of two streams, whenever either delivers, once both have.
  public static func combineLatest<First: ObservableType, Second: ObservableType>(
    _ first: First, _ second: Second
  ) -> Observable<Element> where Element == (First.Element, Second.Element) {
    combineLatest(first, second) { ($0, $1) }
  }

  /// Delivers the newest values of three streams, whenever one delivers, once all have.
  public static func combineLatest<First: ObservableType, Second: ObservableType, Third: ObservableType>(
    _ first: First, _ second: Second, _ third: Third
  ) -> Observable<Element> where Element == (First.Element, Second.Element, Third.Element) {
    combineLatest(first, second, third) { ($0, $1, $2) }
  }
}
