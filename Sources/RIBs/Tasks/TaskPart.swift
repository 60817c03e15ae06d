// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// A part of a tree that also takes part in the life of bound work and of workers.
class TaskPart: TreePart {
  /// Called at a moment of bound work.
  func work(_ moment: TreeMoments, _ task: BoundTask, in tree: TreeCore) {}

  /// Called at a moment of a worker.
  ///
  /// - Parameters:
  ///   - index: the index of the worker among the running workers of its RIB.
  ///   - node: the RIB.
  func worker(_ moment: TreeMoments, _ worker: TaskOwner, at index: Int, of node: NodeID) {}
}

extension TreeMoments {
  /// The starts and the ends of bound work.
  static var work: TreeMoments {
    [TreeMoments(.taskStarted), TreeMoments(.taskEnded), TreeMoments(.taskFailed)]
  }
}

extension TreeCore {
  /// Calls the parts at a moment of bound work, if one takes part in it.
  @inline(__always)
  func notify(_ moment: TreeMoments, _ task: BoundTask) {
    if follows(moment) { notifyParts(moment, task) }
  }

  @inline(never)
  private func notifyParts(_ moment: TreeMoments, _ task: BoundTask) {
    for part in parts where part.moments.contains(moment) { (part as? TaskPart)?.work(moment, task, in: self) }
  }
}

extension RouterNode {
  /// Calls the parts of the tree at a moment of a worker of this RIB, if one takes part in it.
  final func notify(_ moment: TreeMoments, _ worker: TaskOwner, at index: @autoclosure () -> Int?) {
    guard let tree, tree.follows(moment), let nodeID, let index = index() else { return }
    for part in tree.parts where part.moments.contains(moment) {
      (part as? TaskPart)?.worker(moment, worker, at: index, of: nodeID)
    }
  }
}
