// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

extension ObservableType {
  /// Delivers the result of a closure for each value.
  @inlinable
  public func map<Result>(_ transform: @escaping (Element) -> Result) -> Observable<Result> {
    lift { deliver in { deliver(transform($0)) } }
  }

  /// Delivers the result of a closure for each value, unless it is nil.
  @inlinable
  public func compactMap<Result>(_ transform: @escaping (Element) -> Result?) -> Observable<Result> {
    lift { deliver in { element in if let result = transform(element) { deliver(result) } } }
  }

  /// Delivers a running result: the seed combined with the first value, the result with the second, and so on.
  ///
  /// - Parameters:
  ///   - seed: the initial result; not delivered.
  ///   - accumulate: combines the last result with a value.
  @inlinable
  public func scan<Result>(
    _ seed: Result, accumulator accumulate: @escaping (Result, Element) -> Result
  ) -> Observable<Result> {
    lift { deliver in
      let result = Latest(seed)
      return { element in
        let new = accumulate(result.value, element)
        let previous = result.exchange(new)
        deliver(new)
        withExtendedLifetime(previous) {}
      }
    }
  }

  /// Follows the streams that a closure returns for all values, and delivers their values in order of arrival.
  ///
  /// Completes when this stream and all returned ones have completed.
  public func flatMap<Source: ObservableType>(
    _ transform: @escaping (Element) -> Source
  ) -> Observable<Source.Element> {
    let source = asObservable()
    return .sinking { sink in
      let followed = DisposableGroup()
      var live = 1
      func end() {
        live -= 1
        if live == 0 { sink.complete() }
      }
      // Disposed of first, so that the disposal of a followed stream can't send a value to `transform`.
      sink.add(
        source.subscribe(
          onNext: { element in
            let next = transform(element)
            guard sink.isOpen else { return }
            live += 1
            followed.add(next.subscribe(onNext: sink.next, onCompleted: end))
          },
          onCompleted: end))
      sink.add(followed)
    }
  }

  /// Follows the stream that a closure returns for the latest value, and disposes of the previous one.
  ///
  /// Completes when this stream and the last returned one have completed.
  public func flatMapLatest<Source: ObservableType>(
    _ transform: @escaping (Element) -> Source
  ) -> Observable<Source.Element> {
    let source = asObservable()
    return .sinking { sink in
      let inner = SerialDisposable()
      var innerIsLive = false
      var outerIsLive = true
      var generation = 0
      // Disposed of first, so that the disposal of the followed stream can't send a value to `transform`.
      sink.add(
        source.subscribe(
          onNext: { element in
            generation += 1
            let mine = generation
            innerIsLive = true
            // Dispose of the previous stream first, so that it delivers nothing while `transform` runs.
            inner.set(EmptyDisposable())
            let next = transform(element)
            guard generation == mine, sink.isOpen else { return }
            let subscription = next.subscribe(
              onNext: { if generation == mine { sink.next($0) } },
              onCompleted: {
                guard generation == mine else { return }
                innerIsLive = false
                if !outerIsLive { sink.complete() }
              })
            if generation == mine { inner.set(subscription) } else { subscription.dispose() }
          },
          onCompleted: {
            outerIsLive = false
            if !innerIsLive { sink.complete() }
          }))
      sink.add(inner)
    }
  }
}
