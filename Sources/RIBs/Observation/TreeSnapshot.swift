internal import Synchronization

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

extension TreeSnapshot {
  /// One RIB.
  public struct Node: Sendable {
    private let kind: SnapshotKind
    /// What few RIBs have.
    private let details: SnapshotDetails?
    /// Zero for a RIB that has none.
    private let rawID: UInt64
    /// Negative for the root.
    private let parentIndex: Int
    private let activeTime: Duration
    private let hasAge: Bool
    /// What the RIB was doing.
    public let state: State

    init(
      kind: SnapshotKind, details: SnapshotDetails?, id: UInt64, parent: Int?, state: State, age: Duration?
    ) {
      self.kind = kind
      self.details = details
      self.state = state
      rawID = id
      parentIndex = parent ?? -1
      activeTime = age ?? .zero
      hasAge = age != nil
    }

    /// Tells the RIB from all others of its tree; nil if it has not been active in a tree.
    public var id: NodeID? { rawID == 0 ? nil : NodeID(rawID) }
    /// The index of the parent in `nodes`; nil for the root. Parents come before their children.
    public var parent: Int? { parentIndex < 0 ? nil : parentIndex }
    /// The name of the RIB, as in `TreePath.components`.
    public var name: String { kind.names.rib }
    /// The type of the router.
    public var router: String { kind.names.router }
    /// The type of the interactor.
    public var interactor: String { kind.names.interactor }
    /// How long it has been active; nil if it is not. Some milliseconds too long if nobody asked for the tree's events
    /// when it became active.
    public var age: Duration? { hasAge ? activeTime : nil }
    /// Whether the RIB has a view.
    public var hasView: Bool { kind.hasView }
    /// The running bound work of the RIB and its workers, by the file and line that started it, and its name if it has
    /// one.
    public var tasks: [String] { details?.tasks ?? [] }
    /// The running workers, by their types, in the order in which they began.
    public var workers: [String] { details?.workers ?? [] }
    /// How many subscriptions are bound to the RIB and its workers.
    public var subscriptions: Int { details?.subscriptions ?? 0 }
    /// What the RIB says of itself: its interactor's `treeSummary`.
    public var summary: String? { details?.summary }

    /// The RIB with what it says of itself.
    func with(summary: String) -> Node {
      let details = details ?? SnapshotDetails(tasks: [TaskOrigin](), workers: [], subscriptions: 0, summary: nil)
      return Node(
        kind: kind, details: details.with(summary: summary), id: rawID, parent: parent, state: state, age: age)
    }

    /// The RIB as one of another snapshot, in which its parent has another index.
    package func moved(below parent: Int?) -> Node {
      Node(kind: kind, details: details, id: rawID, parent: parent, state: state, age: age)
    }
  }
}

extension TreeSnapshot.Node: Hashable {
  public static func == (one: Self, other: Self) -> Bool {
    one.rawID == other.rawID && one.parentIndex == other.parentIndex && one.state == other.state
      && one.age == other.age && one.kind == other.kind
      && one.tasks == other.tasks && one.workers == other.workers && one.subscriptions == other.subscriptions
      && one.summary == other.summary
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(rawID)
    hasher.combine(parentIndex)
    hasher.combine(state)
    hasher.combine(age)
    hasher.combine(name)
    hasher.combine(summary)
  }
}

/// What is bound to a RIB of a snapshot, and what the RIB says of itself.
final class SnapshotDetails: Sendable {
  /// The tasks and workers as they were met, whose names are made when they are read; or else the names that were read.
  private enum Work {
    case met(tasks: [TaskOrigin], workers: [Worker.Type])
    case named(tasks: [String], workers: [String])
  }

  private let work: Work
  let subscriptions: Int
  let summary: String?

  private init(_ work: Work, subscriptions: Int, summary: String?) {
    self.work = work
    self.subscriptions = subscriptions
    self.summary = summary
  }

  func with(summary: String) -> SnapshotDetails {
    SnapshotDetails(work, subscriptions: subscriptions, summary: summary)
  }

  init(tasks: [TaskOrigin], workers: [Worker.Type], subscriptions: Int, summary: String?) {
    work = .met(tasks: tasks, workers: workers)
    self.subscriptions = subscriptions
    self.summary = summary
  }

  init(tasks: [String], workers: [String], subscriptions: Int, summary: String?) {
    work = .named(tasks: tasks, workers: workers)
    self.subscriptions = subscriptions
    self.summary = summary
  }

  var tasks: [String] {
    switch work {
    case .met(let tasks, _): tasks.map(\.name)
    case .named(let tasks, _): tasks
    }
  }

  var workers: [String] {
    switch work {
    case .met(_, let workers): workers.map { String(describing: $0) }
    case .named(_, let workers): workers
    }
  }
}

/// What all RIBs of a snapshot that are of the same types have in common.
///
/// Their names are made when they are read for the first time, because that is slow, and the tree that the snapshot is
/// taken of does not wait for it.
final class SnapshotKind: Sendable {
  /// The names of a RIB and its types.
  final class Names: Sendable {
    let rib: String
    let router: String
    let interactor: String

    init(rib: String, router: String, interactor: String) {
      self.rib = rib
      self.router = router
      self.interactor = interactor
    }
  }

  /// The types of a RIB.
  struct Types: Hashable {
    /// The router, or the test double that stands for one: what the RIB is named after.
    let router: any AnyObject.Type
    var interactor: any AnyObject.Type

    static func == (one: Types, other: Types) -> Bool {
      one.router == other.router && one.interactor == other.interactor
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(ObjectIdentifier(router))
      hasher.combine(ObjectIdentifier(interactor))
    }
  }

  let hasView: Bool
  /// Nil for what was read, whose names are known.
  private let types: Types?
  private let known = AtomicLazyReference<Names>()

  init(_ types: Types, hasView: Bool) {
    self.types = types
    self.hasView = hasView
  }

  init(_ names: Names, hasView: Bool) {
    types = nil
    self.hasView = hasView
    _ = known.storeIfNil(names)
  }

  var names: Names {
    if let names = known.load() { return names }
    guard let types else { fatalError("A kind has names or types.") }
    return known.storeIfNil(
      Names(
        rib: nameOfRIB(types.router), router: String(describing: types.router),
        interactor: String(describing: types.interactor)))
  }
}

extension SnapshotKind: Equatable {
  static func == (one: SnapshotKind, other: SnapshotKind) -> Bool {
    if one === other { return true }
    let (names, others) = (one.names, other.names)
    return one.hasView == other.hasView && names.rib == others.rib && names.router == others.router
      && names.interactor == others.interactor
  }
}

/// The kinds of RIBs met while a snapshot is taken.
struct SnapshotKinds {
  private var known: [SnapshotKind.Types: SnapshotKind] = [:]
  /// The kind met last: siblings are often alike.
  private var last: (types: SnapshotKind.Types, kind: SnapshotKind)?

  mutating func kind(of types: SnapshotKind.Types, hasView: @autoclosure () -> Bool) -> SnapshotKind {
    if let last, last.types == types { return last.kind }
    let kind = known[types] ?? SnapshotKind(types, hasView: hasView())
    known[types] = kind
    last = (types, kind)
    return kind
  }
}
