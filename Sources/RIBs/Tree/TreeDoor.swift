/// Leads into a tree that has not ended: what a `LiveTree` carries to the tree's actor.
final class TreeDoor {
  /// The inside of the tree, which closes the door when the tree ends.
  private(set) var tree: TreeCore?

  init(to tree: TreeCore) { self.tree = tree }

  func close() { tree = nil }
}
