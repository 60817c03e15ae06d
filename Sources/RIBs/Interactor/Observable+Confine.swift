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
      var isActive = false
      var kept: Element?
      var sourceHasEnded = false
      let subscription = SerialDisposable()
      func end() {
        guard !subscription.hasEnded else { return }
        subscription.dispose()
        observer.onCompleted()
      }
      let activity = isActiveStream.subscribe(
        onNext: { active in
          isActive = active
          guard active, let element = kept else { return }
          kept = nil
          observer.onNext(element)
          if sourceHasEnded { end() }
        },
        onCompleted: end)
      let values = source.subscribe(
        onNext: { element in
          if isActive { observer.onNext(element) } else { kept = element }
        },
        onCompleted: {
          sourceHasEnded = true
          if kept == nil { end() }
        })
      subscription.set(Disposables.create(values, activity))
      return subscription
    }
  }
}
