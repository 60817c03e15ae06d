/// A bound task that runs on the tree.
final class TreeTask: BoundTask {
  private var operation: (nonisolated(nonsending) () async throws -> Void)?

  init(
    tree: TreeCore, scope: ScopedWork, origin: TaskOrigin,
    _ operation: nonisolated(nonsending) @escaping () async throws -> Void
  ) {
    self.operation = operation
    super.init(tree: tree, scope: scope, origin: origin)
  }

  func start(in tree: TreeCore) {
    let actor = tree.actor
    let crossing = Crossing(self)
    isRun(by: Task(executorPreference: tree.executor) { await actor.execute(crossing) })
  }

  /// Runs the operation, and lets go of it and all that it captured while still on the tree.
  nonisolated(nonsending) func execute() async {
    guard let operation else { return }
    self.operation = nil
    do {
      try await operation()
      finish(nil)
    } catch {
      finish(error)
    }
  }
}

/// A bound task that runs off the tree and delivers its result on it.
final class AwayTask<Value: Sendable>: BoundTask {
  private var handler: ((Value) -> Void)?

  init(tree: TreeCore, scope: ScopedWork, origin: TaskOrigin, _ handler: @escaping (Value) -> Void) {
    self.handler = handler
    super.init(tree: tree, scope: scope, origin: origin)
  }

  func start(in tree: TreeCore, _ operation: @escaping @Sendable () async throws -> Value) {
    let actor = tree.actor
    let crossing = Crossing(self)
    // Without the tree's executor, so that the work leaves the tree.
    isRun(
      by: Task {
        let outcome: Result<Value, any Error>
        do {
          outcome = .success(try await operation())
        } catch {
          outcome = .failure(error)
        }
        await actor.deliver(outcome, to: crossing)
      })
  }

  func deliver(_ outcome: Result<Value, any Error>) {
    let handler = handler
    self.handler = nil
    let scope = scope
    switch outcome {
    case .success(let value):
      finish(nil)
      if let scope, !scope.hasEnded { handler?(value) }
    case .failure(let error):
      finish(error)
    }
  }
}
