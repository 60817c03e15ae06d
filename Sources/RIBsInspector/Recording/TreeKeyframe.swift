// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

package import RIBs

/// A snapshot of a tree from which its events can be folded.
package struct TreeKeyframe: Sendable {
  package let snapshot: TreeSnapshot
  /// The time of the snapshot since the launch of the tree.
  package let time: Duration
  /// The number of edits of the next event that the snapshot includes.
  package let edits: Int
  /// The work in the snapshot, of the RIBs that have any.
  package let work: [Work]
  /// When the work wakes that sleeps until a wall time, by the ID of the work.
  package let sleeps: [UInt64: WallTime]

  /// The IDs of the bound work of a RIB, in the order of `TreeSnapshot.Node.tasks`.
  package struct Work: Sendable {
    /// The index of the RIB in the snapshot.
    package let node: Int
    /// The work of the interactor.
    package let tasks: [UInt64]
    /// The work of each running worker.
    package let workers: [[UInt64]]

    package init(node: Int, tasks: [UInt64], workers: [[UInt64]]) {
      self.node = node
      self.tasks = tasks
      self.workers = workers
    }
  }

  /// Takes a snapshot of a tree, with what a fold of its events needs; nil once it has ended.
  init?(of tree: TreeCore, withSummaries: Bool) {
    let time = tree.now()
    guard let root = tree.rootNode, let snapshot = tree.snapshot(at: time, withSummaries: withSummaries) else {
      return nil
    }
    self.snapshot = snapshot
    self.time = time
    edits = (tree.eventNotes as? EditLog)?.count ?? 0
    work = TreeKeyframe.work(below: root)
    sleeps = tree.sleepingWork?.ends ?? [:]
  }

  /// The work of all RIBs, in the order of a snapshot.
  private static func work(below root: RouterNode) -> [Work] {
    var work: [Work] = []
    var index = 0
    root.forEachBelow { node in
      defer { index += 1 }
      guard let interactor = node.interactorCore else { return }
      let workers = interactor.runningWorkers
      guard interactor.work != nil || !workers.isEmpty else { return }
      work.append(
        Work(node: index, tasks: interactor.work?.ids ?? [], workers: workers.map { $0.work?.ids ?? [] }))
    }
    return work
  }
}

extension ScopedWork {
  fileprivate var ids: [UInt64] { shownTasks.map(\.work.id.rawValue) }
}

extension TreeHandle {
  /// Takes a snapshot on the tree's actor, with what a fold of the events needs.
  ///
  /// - Parameters:
  ///   - withSummaries: whether the snapshot has the summaries of the RIBs.
  ///   - body: called on the tree's actor, with nil if the tree has ended. All events before the keyframe have been
  ///     delivered, and none after it.
  package func keyframe(
    withSummaries: Bool = true, _ body: @escaping @Sendable (TreeKeyframe?) -> Void
  ) async {
    await read { tree in body(tree.flatMap { TreeKeyframe(of: $0, withSummaries: withSummaries) }) }
  }
}
