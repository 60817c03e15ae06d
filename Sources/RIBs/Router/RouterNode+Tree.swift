// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

extension RouterNode {
  /// The name of the RIB: the router's type without `Router`.
  final var ribName: String { nameOfRIB(namingType) }

  /// Identifies this RIB in its tree, from its attachment until it is unlinked; nil outside trees.
  public final var nodeID: NodeID? { id == 0 ? nil : NodeID(id) }

  package final var parentID: NodeID? { parentNode?.nodeID }

  /// Where this router stands, as far as parents are linked.
  ///
  /// - Complexity: linear in the depth, up to the length of the longest path.
  final var path: TreePath { TreePath(of: self) }

  // MARK: Membership in a tree

  /// The tree, while this is active in one; of the root, until the tree has ended.
  final var tree: TreeCore? { membership.tree?.takeUnretainedValue() }

  /// The tree in which this is active, or would become active.
  final var nearestTree: TreeCore? { selfAndAbove.first { $0.tree != nil }?.tree }

  /// The interactor, if a task of the tree can be bound to it.
  package final var interactorForTasks: Interactor? {
    guard let interactor = interactorCore, interactor.acceptsTasks, tree != nil, !cannotAttach
    else { return nil }
    return interactor
  }

  // MARK: Parts

  /// The tree that shows this; also while this is inactive in it, below at most 64 other inactive RIBs.
  private final var showingTree: TreeCore? {
    tree ?? selfAndAbove.prefix(TreePath.limit + 1).prefix { $0.id != 0 }.first { $0.tree != nil }?.tree
  }

  /// Calls the parts of the tree that shows this at a moment of a child, which may be inactive as this.
  final func notify(_ moment: TreeMoments, of child: RouterNode) {
    guard child.id != 0, let tree = showingTree, tree.follows(moment) else { return }
    tree.notify(moment, child)
  }

  package final func report(_ problem: Misuse.Problem) {
    if let tree {
      tree.report(problem, path: path, node: self)
    } else {
      let endedTree = membership.hasEnded ? extras?.endedTree : nil
      MisuseHandling.report(
        problem, path: path.inTree(endedTree?.identity), to: endedTree?.onMisuse)
    }
  }

  // MARK: Walks

  /// Calls a closure with this router and all below it, each before its children. The closure changes nothing.
  package final func forEachBelow(_ body: (RouterNode) -> Void) {
    var node = self
    while true {
      body(node)
      if let child = node.firstChildNode {
        node = child
        continue
      }
      while node.nextSiblingNode == nil, node !== self, let parent = node.parentNode { node = parent }
      guard node !== self, let next = node.nextSiblingNode else { return }
      node = next
    }
  }

  /// This router, its parent, and so on up to the topmost router.
  final var selfAndAbove: UnfoldFirstSequence<RouterNode> { sequence(first: self) { $0.parentNode } }

  /// The children in order. A loop finds the next one after its body, which may attach and detach others.
  final var childNodes: UnfoldSequence<RouterNode, RouterNode?> {
    sequence(state: nil) { last in
      last = if let last { last.nextSiblingNode } else { self.firstChildNode }
      return last
    }
  }

  package final var parentNode: RouterNode? { parent?.takeUnretainedValue() }
  final var firstChildNode: RouterNode? { firstChild?.takeUnretainedValue() }
  final var lastChildNode: RouterNode? { lastChild?.takeUnretainedValue() }
  package final var previousSiblingNode: RouterNode? { previousSibling?.takeUnretainedValue() }
  package final var nextSiblingNode: RouterNode? { nextSibling?.takeUnretainedValue() }
}

extension Interactor {
  /// The tree that this is a part of.
  package final var tree: TreeCore? { node?.tree }
}
