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
