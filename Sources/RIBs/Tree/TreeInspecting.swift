/// Is told of trees as they are launched and as they end, and may look at them while they live. `Inspector` in
/// `RIBsInspector` is one; a tree knows it by `TreeConfiguration.inspector`.
public protocol TreeInspecting: Sendable {
  /// Called by the tree, where the tree runs, just before its root becomes active. It should return quickly, and can't
  /// reach into the tree from here.
  ///
  /// - Parameter tree: the handle by which the tree can be looked at from anywhere until it ends. It keeps nothing alive.
  /// - Returns: who is told of the tree's events from the first on; nil if nobody is yet. Without anybody who asks, events
  ///   are not even made.
  func treeWillLaunch(_ tree: LiveTree) -> LiveTree.Observer?

  /// Called by the tree, where the tree runs, when all its RIBs have resigned.
  ///
  /// - Parameter tree: the handle that `treeWillLaunch(_:)` was given.
  func treeDidEnd(_ tree: LiveTree)
}
