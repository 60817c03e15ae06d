extension Observable {
  /// A stream that runs a closure for each subscription.
  ///
  /// What the closure delivers after the end, or after the subscription was disposed of, goes nowhere.
  ///
  /// - Parameter subscribe: delivers to the observer, and returns what to dispose of when the subscription ends.
  public static func create(_ subscribe: @escaping (AnyObserver<Element>) -> any Disposable) -> Observable<Element> {
    Observable { observer in
      let subscription = SerialDisposable()
      subscription.set(
        subscribe(
          AnyObserver(
            next: { element in
              if !subscription.hasEnded { observer.onNext(element) }
            },
            completed: {
              guard !subscription.hasEnded else { return }
              subscription.dispose()
              observer.onCompleted()
            })))
      return subscription
    }
  }

  /// A stream of one value.
  public static func just(_ element: Element) -> Observable<Element> {
    Observable { observer in
      observer.onNext(element)
      observer.onCompleted()
      return EmptyDisposable()
    }
  }

  /// A stream that ends at once.
  public static func empty() -> Observable<Element> {
    Observable { observer in
      observer.onCompleted()
      return EmptyDisposable()
    }
  }

  /// A stream that never delivers and never ends.
  public static func never() -> Observable<Element> { Observable { _ in EmptyDisposable() } }
}
