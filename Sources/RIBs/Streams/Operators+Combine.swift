// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

extension ObservableType {
  /// Delivers a value first, then the values of this stream.
  public func startWith(_ element: Element) -> Observable<Element> {
    let source = asObservable()
    return Observable { observer in
      observer.onNext(element)
      return source.subscribe(observer)
    }
  }

  /// Combines each value of this stream with the latest value of another.
  ///
  /// Values are dropped until the other stream has delivered one. Completes with this stream.
  public func withLatestFrom<Other: ObservableType, Result>(
    _ other: Other, resultSelector combine: @escaping (Element, Other.Element) -> Result
  ) -> Observable<Result> {
    let source = asObservable()
    return .sinking { sink in
      let latest = Latest<Other.Element?>(nil)
      let latestValues = other.subscribe(onNext: { latest.set($0) })
      // Disposed of first, so that the disposal of the other stream can't send a value to `combine`.
      sink.add(
        source.subscribe(
          onNext: { element in
            if let newest = latest.value { sink.next(combine(element, newest)) }
          },
          onCompleted: sink.complete))
      sink.add(latestValues)
    }
  }

  /// Delivers the latest value of another stream for each value of this one, once the other has delivered one.
  public func withLatestFrom<Other: ObservableType>(_ other: Other) -> Observable<Other.Element> {
    withLatestFrom(other) { _, latest in latest }
  }
}

extension Observable {
  /// Delivers the values of several streams in order of arrival. Completes when all have completed.
  public static func merge(_ sources: Observable<Element>...) -> Observable<Element> { merge(sources) }

  /// Delivers the values of several streams in order of arrival. Completes when all have completed.
  public static func merge(_ sources: [Observable<Element>]) -> Observable<Element> {
    guard !sources.isEmpty else { return .empty() }
    return sinking { sink in
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
    }
  }

  /// Combines the latest values of two streams whenever either delivers, once both have delivered.
  ///
  /// Completes when both have completed, or when one completes without a value.
  public static func combineLatest<First: ObservableType, Second: ObservableType>(
    _ first: First, _ second: Second,
    resultSelector combine: @escaping (First.Element, Second.Element) -> Element
  ) -> Observable<Element> {
    sinking { sink in
      let latestFirst = Latest<First.Element?>(nil)
      let latestSecond = Latest<Second.Element?>(nil)
      var live = 2
      func follow<Source: ObservableType>(_ source: Source, _ latest: Latest<Source.Element?>) {
        sink.add(
          source.subscribe(
            onNext: { element in
              let previous = latest.exchange(element)
              if let one = latestFirst.value, let two = latestSecond.value { sink.next(combine(one, two)) }
              withExtendedLifetime(previous) {}
            },
            onCompleted: {
              live -= 1
              if live == 0 || latest.value == nil { sink.complete() }
            }))
      }
      follow(first, latestFirst)
      if sink.isOpen { follow(second, latestSecond) }
    }
  }

  /// Combines the latest values of three streams whenever one delivers, once all have delivered.
  public static func combineLatest<First: ObservableType, Second: ObservableType, Third: ObservableType>(
    _ first: First, _ second: Second, _ third: Third,
    resultSelector combine: @escaping (First.Element, Second.Element, Third.Element) -> Element
  ) -> Observable<Element> {
    let pair = Observable<(First.Element, Second.Element)>.combineLatest(first, second) { ($0, $1) }
    return combineLatest(pair, third) { combine($0.0, $0.1, $1) }
  }

  /// Delivers the latest values of two streams whenever either delivers, once both have delivered.
  public static func combineLatest<First: ObservableType, Second: ObservableType>(
    _ first: First, _ second: Second
  ) -> Observable<Element> where Element == (First.Element, Second.Element) {
    combineLatest(first, second) { ($0, $1) }
  }

  /// Delivers the latest values of three streams whenever one delivers, once all have delivered.
  public static func combineLatest<First: ObservableType, Second: ObservableType, Third: ObservableType>(
    _ first: First, _ second: Second, _ third: Third
  ) -> Observable<Element> where Element == (First.Element, Second.Element, Third.Element) {
    combineLatest(first, second, third) { ($0, $1, $2) }
  }
}
