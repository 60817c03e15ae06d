extension ObservableType {
  /// Waits for the first value, such as that of a step in a `Workflow`.
  ///
  /// - Returns: the first value that is delivered from now on, which a `BehaviorRelay` does at once; nil if the stream ends
  ///   without one, or the calling task is cancelled.
  public nonisolated(nonsending) func first() async -> Element? {
    for await element in values { return element }
    return nil
  }
}
