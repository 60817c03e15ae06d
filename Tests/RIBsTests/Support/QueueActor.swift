// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs

/// An actor on a queue of its own, so that code can be asked whether it runs there without being stopped if it does not.
actor QueueActor {
  private let executor = QueueExecutor()
  private(set) var tree: Tree?

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Whether the calling code runs on this actor's queue.
  nonisolated var isCurrent: Bool { executor.isCurrent }

  /// Builds and launches a tree that this actor owns.
  @discardableResult
  func launch(
    _ configuration: TreeConfiguration = TreeConfiguration(), _ build: @Sendable () -> any Routing
  ) -> Bool {
    let tree = Tree(root: build(), configuration: configuration)
    self.tree = tree
    return tree.launch()
  }

  /// Releases the tree, which ends.
  func drop() { tree = nil }

  /// Shuts the tree down, and releases it.
  func shutdown() async {
    await tree?.shutdown()
    tree = nil
  }
}

private final class QueueExecutor: SerialExecutor {
  private let queue = KnownQueue()

  var isCurrent: Bool { queue.isCurrent }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
