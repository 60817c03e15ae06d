extension Observable {
  /// A stream that runs a closure for each subscription.
  ///
  /// What the closure delivers after the end, or after the subscription was disposed of, is discarded.
  ///
  /// - Parameter subscribe: called on the tree for each subscription. It delivers to the observer, and returns what is
  ///   disposed of when the subscription ends: when it is disposed of, or when the observer was notified of the end.
  public static func create(_ subscribe: @escaping (AnyObserver<Element>) -> any Disposable) -> Observable<Element> {
    Observable { observer in
      let sink = Sink(observer)
      sink.add(subscribe(AnyObserver(next: sink.next, completed: sink.complete)))
      return sink
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

  /// A stream that ends at once, without a value.
  public static func empty() -> Observable<Element> {
    Observable { observer in
      observer.onCompleted()
      return EmptyDisposable()
    }
  }

  /// A stream that never delivers and never ends.
  public static func never() -> Observable<Element> { Observable { _ in EmptyDisposable() } }
}
