// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// A bound task whose steps run on the tree.
@usableFromInline
class OnTreeTask: BoundTask {
  /// The first job of the Swift task, until the task may begin.
  private(set) final var firstJob: UnownedJob?

  override final func makeSwiftTask(
    on actor: any Actor, _ starter: TaskStarter, _ context: BoundWork.Context
  ) -> Handle? {
    let box = IsolationBox(self)
    // Not by `context.task(on:)`, which takes the closure in another form, and allocates once more for that (Swift 6.3).
    let made = starter.make { executor in
      context.isInherited
        ? Task(executorPreference: executor) { await actor.execute(box) }
        : .detached(executorPreference: executor, priority: context.priority) { await actor.execute(box) }
    }
    firstJob = made.job
    tree?.notify(.workCreated, self)
    return made.task
  }

  override final func allowStart(_ starter: TaskStarter) {
    if let job = firstJob.take() { starter.start(job) }
  }
}

/// A bound task that runs an operation on the tree.
final class TreeTask: OnTreeTask {
  private var operation: (nonisolated(nonsending) () async throws -> Void)?

  init(origin: TaskOrigin, _ operation: nonisolated(nonsending) @escaping () async throws -> Void) {
    self.operation = operation
    super.init(origin: origin)
  }

  /// Runs the operation, and releases it with its captures on the tree.
  override nonisolated(nonsending) func execute() async {
    tree?.starter.willStep(of: origin)
    guard begin(), let operation else { return }
    self.operation = nil
    do {
      try await operation()
      finish(throwing: nil)
    } catch {
      finish(throwing: error)
    }
  }

  override func releaseCaptures() { operation = nil }
}
