extension Task where Failure == any Error {
  /// Starts work that leaves a tree.
  ///
  /// A task that has an executor to prefer looks for it each time that it goes on, also when there is none (Swift 6.3).
  /// So it is told of one only if there is one.
  ///
  /// - Parameter executor: where the work runs; nil for the global executor.
  @inline(__always) @discardableResult
  init(away executor: (any TaskExecutor)?, operation: sending @escaping @isolated(any) () async throws -> Success) {
    if let executor {
      self.init(executorPreference: executor, operation: operation)
    } else {
      self.init(operation: operation)
    }
  }
}
