// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

extension BoundWork.Context {
  /// Starts a Swift task that runs off the tree.
  ///
  /// A task with an executor preference looks up its executor at each resumption, even if that is nil (Swift 6.3). So a
  /// preference is set only if there is an executor.
  ///
  /// - Parameter executor: the executor of the work; nil for the global executor.
  @inline(__always)
  func task(
    on executor: (any TaskExecutor)?, _ operation: sending @escaping @isolated(any) () async throws -> Void
  ) -> Task<Void, any Error> {
    guard let executor else {
      return isInherited ? Task(operation: operation) : .detached(priority: priority, operation: operation)
    }
    return isInherited
      ? Task(executorPreference: executor, operation: operation)
      : .detached(executorPreference: executor, priority: priority, operation: operation)
  }
}
