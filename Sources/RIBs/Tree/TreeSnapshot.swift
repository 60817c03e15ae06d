/// A tree as it stood at one moment: a value that can leave the tree, be stored, sent and drawn.
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

  /// One RIB.
  public struct Node: Sendable, Hashable, Codable {
    /// Tells the RIB from all others of its tree; nil if it has not been active in a tree.
    public let id: NodeID?
    /// The index of the parent in `nodes`; nil for the root. Parents come before their children.
    public let parent: Int?
    /// The name of the RIB, as in `TreePath.components`.
    public let name: String
    /// The type of the router.
    public let router: String
    /// The type of the interactor.
    public let interactor: String
    /// What the RIB was doing.
    public let state: State
    /// How long it has been active; nil if it is not.
    public let age: Duration?
    /// Whether the RIB has a view.
    public let hasView: Bool
    /// The running bound work of the RIB and its workers, by the file and line that started it, and its name if it has
    /// one.
    public let tasks: [String]
    /// The running workers, by their types, in the order in which they began.
    public let workers: [String]
    /// How many subscriptions are bound to the RIB and its workers.
    public let subscriptions: Int
    /// What the RIB says of itself: its interactor's `treeSummary`.
    public let summary: String?
  }

  /// The RIBs in pre-order: each before its children, children in the order of attaching.
  public let nodes: [Node]

  package init(nodes: [Node]) { self.nodes = nodes }
}

extension TreeSnapshot {
  /// Walks a tree without recursion. The names of types are made once each.
  init(of root: RouterNode, at time: Duration) {
    var names = TypeNames()
    var nodes: [Node] = []
    var parents: [Int] = []
    var next: RouterNode? = root
    while let node = next {
      nodes.append(node.snapshot(parent: parents.last, at: time, names: &names))
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
    self.nodes = nodes
  }
}

/// The names of types, each made once.
struct TypeNames {
  private var known: [ObjectIdentifier: String] = [:]
  private var ribs: [ObjectIdentifier: String] = [:]

  mutating func name(of type: any Any.Type) -> String {
    if let name = known[ObjectIdentifier(type)] { return name }
    let name = String(describing: type)
    known[ObjectIdentifier(type)] = name
    return name
  }

  mutating func ribName(of type: any AnyObject.Type) -> String {
    if let name = ribs[ObjectIdentifier(type)] { return name }
    let name = nameOfRIB(type)
    ribs[ObjectIdentifier(type)] = name
    return name
  }
}
