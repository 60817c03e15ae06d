/// A bound task that runs on the tree.
final class TreeTask: BoundTask {
  @exclusivity(unchecked) private var operation: (nonisolated(nonsending) () async throws -> Void)?

  init(origin: TaskOrigin, _ operation: nonisolated(nonsending) @escaping () async throws -> Void) {
    self.operation = operation
    super.init(origin: origin)
  }

  override func begin(on actor: __owned any Actor, _ executor: any TaskExecutor) -> Handle {
    let crossing = Crossing(self)
    return Task(executorPreference: executor) { await actor.execute(crossing) }
  }

  /// Runs the operation, and lets go of it and all that it captured while still on the tree.
  override nonisolated(nonsending) func execute() async {
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
