extension Disposable {
  /// Ends this when the interactor resigns.
  ///
  /// Bound to an interactor that is not active, it is disposed of at once and that is reported: a subscription made
  /// before activation, or by a callback that came too late, would otherwise never end.
  ///
  /// - Parameter interactor: the interactor whose current activation this lasts for.
  /// - Returns: this disposable, to end it earlier.
  @discardableResult
  public func disposeOnDeactivate(interactor: Interactor) -> any Disposable {
    if interactor.acceptsSubscriptions {
      interactor.openWork().add(self)
    } else {
      dispose()
      interactor.report(.subscriptionOfInactive)
    }
    return self
  }
}
