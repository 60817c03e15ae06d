// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// The delivery of an error of bound work to `didFail(_:of:)`.
///
/// It holds what the default implementation needs after an override has ended its RIB, its worker or the tree: by then,
/// neither the interactor nor the worker refers to the tree.
final class FailureDelivery {
  let interactor: Interactor
  let tree: TreeCore
  let path: TreePath
  let node: NodeID?
  /// Whether the default implementation was called.
  private var isPassedOn = false

  init(to interactor: Interactor, in tree: TreeCore, _ path: TreePath, _ node: NodeID?) {
    self.interactor = interactor
    self.tree = tree
    self.path = path
    self.node = node
  }

  /// Called by the default implementation.
  ///
  /// - Returns: false if an override calls `super` again, so that an error is passed on once.
  func passOn() -> Bool {
    defer { isPassedOn = true }
    return !isPassedOn
  }

  /// Whether the RIB is still where its work failed.
  var isCurrent: Bool {
    guard let node = interactor.node, node.canFail else { return false }
    return node.nodeID == self.node && node.tree === tree
  }

  /// Reports an error that no interactor has handled.
  func report(_ error: any Error, of work: BoundWork) {
    let source = FailureSource(path: path, node: node, work: work, error: error)
    tree.report(TreeFailure(source: source, outcome: isCurrent ? .stays : .detached))
  }
}
