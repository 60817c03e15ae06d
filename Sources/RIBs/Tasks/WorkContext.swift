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
    switch (self, executor) {
    case (.inherited, let executor?): Task(executorPreference: executor, operation: operation)
    case (.inherited, nil): Task(operation: operation)
    case (.own(let priority), let executor?):
      Task.detached(executorPreference: executor, priority: priority, operation: operation)
    case (.own(let priority), nil): Task.detached(priority: priority, operation: operation)
    }
  }
}
