// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// The state of a tree at one moment, as a value that can leave the tree, be stored, sent and drawn.
///
/// Taking a snapshot blocks the tree for a few hundred nanoseconds per RIB. Names are created later, when they are
/// read.
public struct TreeSnapshot: Sendable, Hashable, Codable {
  /// The lifecycle state of a RIB.
  public enum State: String, Sendable, Hashable, Codable {
    /// Attached under a parent that is not active, or deactivated by hand.
    case inactive
    /// Active.
    case active
    /// Resigning: becoming inactive.
    case resigning
  }

  /// The RIBs in pre-order: each before its children, and children in attachment order.
  public let nodes: [Node]
  /// The name of the tree, from `TreeConfiguration.name`.
  public let name: String?
  /// The labels of the tree, from `TreeConfiguration.labels`.
  public let labels: [String: String]
  /// The present time of the tree's wall clock, if bound work sleeps until a wall time.
  public let wallTime: WallTime?

  package init(nodes: [Node], name: String? = nil, labels: [String: String] = [:], wallTime: WallTime? = nil) {
    self.nodes = nodes
    self.name = name
    self.labels = labels
    self.wallTime = wallTime
  }

  /// When the first work of the tree wakes that sleeps until a wall time; nil if none sleeps.
  public var wakes: WallTime? { nodes.lazy.compactMap(\.wakes).min() }

  /// Walks a tree without recursion. Calls `ribLabel` and `treeSummary` after the walk, because they may change the tree,
  /// although they should not.
  init(of root: RouterNode, at time: Duration, _ identity: TreeIdentity?, withSummaries: Bool = true) {
    var kinds = SnapshotKinds()
    var nodes: [Node] = []
    var labeled: [RouterNode] = []
    var parents: [Int] = []
    var next: RouterNode? = root
    let tree = root.tree
    let wakes = tree?.sleepingWork?.earliestByNode ?? [:]
    while let node = next {
      labeled.append(node)
      nodes.append(node.snapshot(parent: parents.last, at: time, kinds: &kinds))
      if !wakes.isEmpty, let end = wakes[node.id] { nodes[nodes.count - 1] = nodes[nodes.count - 1].with(wakes: end) }
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
    for (index, node) in labeled.enumerated() {
      let label = node.label
      let summary = withSummaries ? node.interactorCore?.treeSummary : nil
      if label != nil || summary != nil { nodes[index] = nodes[index].with(label: label, summary: summary) }
    }
    self.init(
      nodes: nodes, name: identity?.name, labels: identity?.labels ?? [:],
      wallTime: wakes.isEmpty ? nil : tree?.settings.wallClock.now)
  }
}

extension TreeSnapshot {
  /// One RIB.
  public struct Node: Sendable {
    package let kind: SnapshotKind
    /// The details that only a few RIBs have.
    private let details: SnapshotDetails?
    /// Zero for a RIB without an ID.
    private let rawID: UInt64
    /// Negative for the root.
    private let parentIndex: Int
    private let activeTime: Duration
    private let hasAge: Bool
    /// The lifecycle state of the RIB.
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

    /// Creates a RIB of a snapshot that is not taken of a live tree.
    package init(
      kind: SnapshotKind, id: NodeID?, parent: Int?, state: State, age: Duration?, tasks: [String], workers: [String],
      subscriptions: Int, label: String? = nil, summary: String?, restarts: Restarts.Count?, wakes: WallTime? = nil
    ) {
      let hasDetails =
        !tasks.isEmpty || !workers.isEmpty || subscriptions != 0 || label != nil || summary != nil || restarts != nil
        || wakes != nil
      self.init(
        kind: kind,
        details: hasDetails
          ? SnapshotDetails(
            tasks: tasks, workers: workers, subscriptions: subscriptions, label: label, summary: summary,
            restarts: restarts, wakes: wakes) : nil,
        id: id?.rawValue ?? 0, parent: parent, state: state, age: age)
    }

    /// The RIB's identity in its tree; nil if it was never active in a tree.
    public var id: NodeID? { rawID == 0 ? nil : NodeID(rawID) }
    /// The index of the parent in `nodes`; nil for the root. Parents come before their children.
    public var parent: Int? { parentIndex < 0 ? nil : parentIndex }
    /// The name of the RIB, as in `TreePath.components`.
    public var name: String { kind.names.rib }
    /// The interactor's ``Interactor/ribLabel``.
    public var label: String? { details?.label }
    /// The name of the RIB, followed by its label, if it has one: `Room swift`.
    public var title: String { name.labeled(label) }
    /// The type of the router.
    public var router: String { kind.names.router }
    /// The type of the interactor.
    public var interactor: String { kind.names.interactor }
    /// How long the RIB has been active; nil if it is inactive. Up to some milliseconds too long if the tree's events
    /// were not observed when it became active.
    public var age: Duration? { hasAge ? activeTime : nil }
    /// Whether the RIB has a view.
    public var hasView: Bool { kind.hasView }
    /// The running bound work of the RIB and its workers: the key, if any, and the file and line that started it.
    public var tasks: [String] { details?.tasks ?? [] }
    /// The type names of the running workers, in the order in which they began.
    public var workers: [String] { details?.workers ?? [] }
    /// The number of subscriptions bound to the RIB and its workers.
    public var subscriptions: Int { details?.subscriptions ?? 0 }
    /// The number of restarts of the RIB within the period of its container; nil if there were none.
    public var restarts: Restarts.Count? { details?.restarts }
    /// The interactor's `treeSummary`.
    public var summary: String? { details?.summary }
    /// When the first of `tasks` wakes that sleeps until a wall time; nil if none sleeps.
    public var wakes: WallTime? { details?.wakes }

    /// The RIB with a time at which its work wakes.
    func with(wakes: WallTime) -> Node {
      Node(
        kind: kind, details: (details ?? .none).with(wakes: wakes), id: rawID, parent: parent, state: state, age: age)
    }

    /// The RIB with a label and a summary.
    func with(label: String?, summary: String?) -> Node {
      Node(
        kind: kind, details: (details ?? .none).with(label: label, summary: summary), id: rawID, parent: parent,
        state: state, age: age)
    }

    /// The RIB as part of another snapshot, in which its parent has another index.
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
      && one.label == other.label && one.summary == other.summary && one.restarts == other.restarts
      && one.wakes == other.wakes
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(rawID)
    hasher.combine(parentIndex)
    hasher.combine(state)
    hasher.combine(age)
    hasher.combine(name)
    hasher.combine(label)
    hasher.combine(summary)
  }
}

/// The bound work, the restarts and the summary of a RIB in a snapshot.
final class SnapshotDetails: Sendable {
  /// The tasks and workers of the live tree, whose names are created when they are read, or the names of a decoded
  /// snapshot.
  private enum Work {
    case met(tasks: [TaskOrigin], workers: [TaskOwner.Type])
    case named(tasks: [String], workers: [String])
  }

  private let work: Work
  let subscriptions: Int
  let label: String?
  let summary: String?
  let restarts: Restarts.Count?
  let wakes: WallTime?

  private init(
    _ work: Work, subscriptions: Int, label: String? = nil, summary: String? = nil, restarts: Restarts.Count? = nil,
    wakes: WallTime? = nil
  ) {
    self.work = work
    self.subscriptions = subscriptions
    self.label = label
    self.summary = summary
    self.restarts = restarts
    self.wakes = wakes
  }

  /// No work.
  static var none: SnapshotDetails { SnapshotDetails(tasks: [], workers: [] as [TaskOwner.Type], subscriptions: 0) }

  convenience init(tasks: [TaskOrigin], workers: [TaskOwner.Type], subscriptions: Int) {
    self.init(.met(tasks: tasks, workers: workers), subscriptions: subscriptions)
  }

  convenience init(
    tasks: [String], workers: [String], subscriptions: Int, label: String?, summary: String?, restarts: Restarts.Count?,
    wakes: WallTime?
  ) {
    self.init(
      .named(tasks: tasks, workers: workers), subscriptions: subscriptions, label: label, summary: summary,
      restarts: restarts, wakes: wakes)
  }

  func with(label: String?, summary: String?) -> SnapshotDetails {
    SnapshotDetails(
      work, subscriptions: subscriptions, label: label, summary: summary, restarts: restarts, wakes: wakes)
  }

  func with(restarts: Restarts.Count) -> SnapshotDetails {
    SnapshotDetails(
      work, subscriptions: subscriptions, label: label, summary: summary, restarts: restarts, wakes: wakes)
  }

  func with(wakes: WallTime) -> SnapshotDetails {
    SnapshotDetails(
      work, subscriptions: subscriptions, label: label, summary: summary, restarts: restarts, wakes: wakes)
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

/// The type information that RIBs of the same types share in a snapshot.
///
/// The names are created when they are first read, because that is slow and would block the tree.
package final class SnapshotKind: Sendable {
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
    /// The type of the router or of its test double, after which the RIB is named.
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

  package let hasView: Bool
  /// Nil for a decoded snapshot, whose names are known.
  private let types: Types?
  private let known = AtomicLazyReference<Names>()

  init(_ types: Types, hasView: Bool) {
    self.types = types
    self.hasView = hasView
  }

  /// The name of the RIB.
  package var name: String { names.rib }
  /// The type of the router.
  package var router: String { names.router }
  /// The type of the interactor.
  package var interactor: String { names.interactor }

  /// - Parameter name: the name of the RIB.
  package convenience init(name: String, router: String, interactor: String, hasView: Bool) {
    self.init(Names(rib: name, router: router, interactor: interactor), hasView: hasView)
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
        rib: nameOfRIB(types.router, interactor: types.interactor), router: String(describing: types.router),
        interactor: String(describing: types.interactor)))
  }
}

extension SnapshotKind: Equatable {
  package static func == (one: SnapshotKind, other: SnapshotKind) -> Bool {
    if one === other { return true }
    let (names, others) = (one.names, other.names)
    return one.hasView == other.hasView && names.rib == others.rib && names.router == others.router
      && names.interactor == others.interactor
  }
}

/// The kinds of RIBs found so far while a snapshot is taken.
struct SnapshotKinds {
  private var known: [SnapshotKind.Types: SnapshotKind] = [:]
  /// The most recent kind: siblings often have the same.
  private var last: (types: SnapshotKind.Types, kind: SnapshotKind)?

  mutating func kind(of types: SnapshotKind.Types, hasView: @autoclosure () -> Bool) -> SnapshotKind {
    if let last, last.types == types { return last.kind }
    let kind = known[types] ?? SnapshotKind(types, hasView: hasView())
    known[types] = kind
    last = (types, kind)
    return kind
  }
}
