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
      let sink = Sink(observer)
      let latest = Latest<Other.Element?>(nil)
      sink.add(other.subscribe(onNext: { latest.set($0) }))
      sink.add(
        source.subscribe(
          onNext: { element in
            if let newest = latest.value { sink.next(combine(element, newest)) }
          },
          onCompleted: sink.complete))
      return sink
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
      let sink = Sink(observer)
      var live = sources.count
      for source in sources {
        sink.add(
          source.subscribe(
            onNext: sink.next,
            onCompleted: {
              live -= 1
              if live == 0 { sink.complete() }
            }))
      }
      return sink
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
      let sink = Sink(observer)
      let latestFirst = Latest<First.Element?>(nil)
      let latestSecond = Latest<Second.Element?>(nil)
      var live = 2
      func deliver() {
        if let one = latestFirst.value, let two = latestSecond.value { sink.next(combine(one, two)) }
      }
      func end(withoutValue: Bool) {
        live -= 1
        if live == 0 || withoutValue { sink.complete() }
      }
      sink.add(
        first.subscribe(
          onNext: { element in
            let previous = latestFirst.exchange(element)
            deliver()
            withExtendedLifetime(previous) {}
          },
          onCompleted: { end(withoutValue: latestFirst.value == nil) }))
      guard sink.isOpen else { return sink }
      sink.add(
        second.subscribe(
          onNext: { element in
            let previous = latestSecond.exchange(element)
            deliver()
            withExtendedLifetime(previous) {}
          },
          onCompleted: { end(withoutValue: latestSecond.value == nil) }))
      return sink
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

extension ObservableType {
  /// Delivers values only while a scope is active.
  ///
  /// The stream is subscribed to at once. While the scope is inactive, the newest value is kept and delivered when the
  /// scope becomes active; a value that was delivered is not delivered again. It ends with this stream, when nothing is
  /// kept, and with the scope's interactor.
  ///
  /// - Parameter scope: usually an interactor.
  public func confineTo(_ scope: any InteractorScope) -> Observable<Element> {
    let source = asObservable()
    let isActiveStream = scope.isActiveStream
    return Observable { observer in
      let sink = Sink(observer)
      let kept = Latest<Element?>(nil)
      var isActive = false
      var sourceHasEnded = false
      sink.add(
        isActiveStream.subscribe(
          onNext: { active in
            isActive = active
            guard active, let element = kept.exchange(nil) else { return }
            sink.next(element)
            if sourceHasEnded { sink.complete() }
          },
          onCompleted: sink.complete))
      guard sink.isOpen else { return sink }
      sink.add(
        source.subscribe(
          onNext: { element in if isActive { sink.next(element) } else { kept.set(element) } },
          onCompleted: {
            sourceHasEnded = true
            if kept.value == nil { sink.complete() }
          }))
      return sink
    }
  }
}
