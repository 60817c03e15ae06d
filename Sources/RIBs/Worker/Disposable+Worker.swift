extension Disposable {
  /// Ends this when the worker stops.
  ///
  /// Bound to a worker that does not run, it is disposed of at once and that is reported: it would otherwise never end.
  ///
  /// - Parameter worker: the worker whose current run this lasts for.
  /// - Returns: this disposable, to end it earlier.
  @discardableResult
  public func disposeOnStop(_ worker: Worker) -> any Disposable {
    worker.bind(self)
    return self
  }
}
