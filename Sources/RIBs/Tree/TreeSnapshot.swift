/// A tree as it stood at one moment: a value that can leave the tree, be stored, sent and drawn.
///
/// Taking it holds the tree for some hundred nanoseconds a RIB, because only what is needed to tell is collected then:
/// names are made when they are read.
public struct TreeSnapshot: Sendable, Hashable, Codable {
  /// What a RIB was doing.
  public enum State: String, Sendable, Hashable, Codable {
    /// Attached under a parent that is not active, or deactivated by hand.
    case inactive
    /// Active.
    case active
    /// On its way to inactive.
    case resigning
  }

  /// The RIBs in pre-order: each before its children, children in the order of attaching.
  public let nodes: [Node]

  package init(nodes: [Node]) { self.nodes = nodes }

  /// Walks a tree without recursion. What RIBs say of themselves is asked for afterwards: a `treeSummary` may change the
  /// tree, though it should not.
  init(of root: RouterNode, at time: Duration) {
    var kinds = SnapshotKinds()
    var nodes: [Node] = []
    var interactors: [(index: Int, interactor: Interactor)] = []
    var parents: [Int] = []
    var next: RouterNode? = root
    while let node = next {
      if let interactor = node.interactorCore?.takeUnretainedValue() { interactors.append((nodes.count, interactor)) }
      nodes.append(node.snapshot(parent: parents.last, at: time, kinds: &kinds))
      if let child = node.firstChildNode {
        parents.append(nodes.count - 1)
        next = child
        continue
      }
      var finished = node
      while finished !== root, finished.nextSiblingNode == nil, let parent = finished.parentNode {
        parents.removeLast()
        finished = parent
      }
      next = finished === root ? nil : finished.nextSiblingNode
    }
    for (index, interactor) in interactors {
      if let summary = interactor.treeSummary { nodes[index] = nodes[index].with(summary: summary) }
    }
    self.nodes = nodes
  }
}
