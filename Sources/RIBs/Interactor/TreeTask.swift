/// A bound task that runs on the tree.
final class TreeTask: BoundTask {
  private var operation: (nonisolated(nonsending) () async throws -> Void)?

  init(
    scope: ScopedWork, origin: TaskOrigin,
    _ operation: nonisolated(nonsending) @escaping () async throws -> Void
  ) {
    self.operation = operation
    super.init(scope: scope, origin: origin)
  }

  override func begin(in tree: TreeCore) -> Task<Void, Never> {
    let actor = tree.actor
    let crossing = Crossing(self)
    return Task(executorPreference: tree.executor) { await actor.execute(crossing) }
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
