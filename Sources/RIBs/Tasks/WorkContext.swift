/// Where the task-local values and the priority of bound work come from.
public enum WorkContext: Equatable, Sendable {
  /// From the code that asks for the work.
  case inherited
  /// From nowhere: without task-local values, and with a priority of its own; medium if nil.
  case own(priority: TaskPriority? = nil)
}

extension WorkContext {
  /// Starts a Swift task that leaves a tree.
  ///
  /// A task that has an executor to prefer looks for it each time that it continues, also when there is none (Swift 6.3).
  /// So it is given one only if there is one.
  ///
  /// - Parameter executor: where the work runs; nil for the global executor.
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
