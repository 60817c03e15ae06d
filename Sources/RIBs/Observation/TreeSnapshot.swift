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
    var kinds = SiblingCache<SnapshotKind.Types, SnapshotKind>()
    var nodes: [Node] = []
    var routers: [RouterNode] = []
    // The indices of a RIB and those above it.
    var line: [Int] = []
    let tree = root.tree
    let wakes = tree?.sleepingWork?.earliestByNode ?? [:]
    root.forEachBelow { router in
      while let last = line.last, routers[last] !== router.parentNode { line.removeLast() }
      var node = router.snapshot(parent: line.last, at: time, kinds: &kinds)
      if !wakes.isEmpty, let end = wakes[router.id] { node.setDetails { $0.wakes = end } }
      line.append(nodes.count)
      nodes.append(node)
      routers.append(router)
    }
    for (index, router) in routers.enumerated() {
      let label = router.label
      let summary = withSummaries ? router.interactorCore?.treeSummary : nil
      if label != nil || summary != nil { nodes[index].setDetails { ($0.label, $0.summary) = (label, summary) } }
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
    /// The details that only a few RIBs have. A separate object, because of those that have none.
    private var details: SharedBox<SnapshotDetails>?
    /// Zero for a RIB without an ID.
    private let rawID: UInt64
    /// Negative for the root.
    private var parentIndex: Int
    /// How long the RIB has been active; nil if it is inactive. Up to some milliseconds too long if the tree's events
    /// were not observed when it became active.
    public let age: Duration?
    /// The lifecycle state of the RIB.
    public let state: State

    init(
      kind: SnapshotKind, details: SnapshotDetails?, id: UInt64, parent: Int?, state: State, age: Duration?
    ) {
      self.kind = kind
      self.details = details.map { SharedBox($0) }
      self.state = state
      rawID = id
      parentIndex = parent ?? -1
      self.age = age
    }

    /// Creates a RIB of a snapshot that is not taken of a live tree.
    package init(
      kind: SnapshotKind, id: NodeID?, parent: Int?, state: State, age: Duration?, tasks: [String], workers: [String],
      subscriptions: Int, label: String? = nil, summary: String?, restarts: Restarts.Count?, wakes: WallTime? = nil
    ) {
      let hasDetails =
        !tasks.isEmpty || !workers.isEmpty || subscriptions != 0 || label != nil || summary != nil || restarts != nil
        || wakes != nil
      let details = SnapshotDetails(
        work: .named(tasks: tasks, workers: workers), subscriptions: subscriptions, label: label, summary: summary,
        restarts: restarts, wakes: wakes)
      self.init(
        kind: kind, details: hasDetails ? details : nil, id: id?.rawValue ?? 0, parent: parent, state: state, age: age)
    }

    /// The RIB's identity in its tree; nil if it was never active in a tree.
    public var id: NodeID? { rawID == 0 ? nil : NodeID(rawID) }
    /// The index of the parent in `nodes`; nil for the root. Parents come before their children.
    public var parent: Int? { parentIndex < 0 ? nil : parentIndex }
    /// The name of the RIB, as in `TreePath.components`.
    public var name: String { kind.names.rib }
    /// The interactor's ``Interactor/ribLabel``.
    public var label: String? { details?.value.label }
    /// The name of the RIB, followed by its label, if it has one: `Room swift`.
    public var title: String { name.labeled(label) }
    /// The type of the router.
    public var router: String { kind.names.router }
    /// The type of the interactor.
    public var interactor: String { kind.names.interactor }
    /// Whether the RIB has a view.
    public var hasView: Bool { kind.hasView }
    /// The running bound work of the RIB and its workers: the key, if any, and the file and line that started it.
    public var tasks: [String] { details?.value.tasks ?? [] }
    /// The type names of the running workers, in the order in which they began.
    public var workers: [String] { details?.value.workers ?? [] }
    /// The number of subscriptions bound to the RIB and its workers.
    public var subscriptions: Int { details?.value.subscriptions ?? 0 }
    /// The number of restarts of the RIB within the period of its container; nil if there were none.
    public var restarts: Restarts.Count? { details?.value.restarts }
    /// The interactor's `treeSummary`.
    public var summary: String? { details?.value.summary }
    /// When the first of `tasks` wakes that sleeps until a wall time; nil if none sleeps.
    public var wakes: WallTime? { details?.value.wakes }

    mutating func setDetails(_ change: (inout SnapshotDetails) -> Void) {
      var new = details?.value ?? SnapshotDetails()
      change(&new)
      details = SharedBox(new)
    }

    /// The RIB as part of another snapshot, in which its parent has another index.
    package func moved(below parent: Int?) -> Node {
      var node = self
      node.parentIndex = parent ?? -1
      return node
    }
  }
}

extension TreeSnapshot.Node: Hashable {
  public static func == (one: Self, other: Self) -> Bool { one.fields == other.fields }

  public func hash(into hasher: inout Hasher) { hasher.combine(fields) }
}

/// The bound work, the restarts and the summary of a RIB in a snapshot.
struct SnapshotDetails: Sendable {
  /// The tasks and workers of the live tree, whose names are created when they are read, or the names of a decoded
  /// snapshot.
  enum Work {
    case met(tasks: [TaskOrigin], workers: [TaskOwner.Type])
    case named(tasks: [String], workers: [String])
  }

  var work = Work.named(tasks: [], workers: [])
  var subscriptions = 0
  var label: String?
  var summary: String?
  var restarts: Restarts.Count?
  var wakes: WallTime?

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
  package struct Names {
    package let rib: String
    package let router: String
    package let interactor: String
  }

  /// The types of a RIB.
  package struct Types: Hashable, Sendable {
    /// The type of the router or of its test double, after which the RIB is named.
    package let router: any AnyObject.Type
    package let interactor: any AnyObject.Type

    package static func == (one: Types, other: Types) -> Bool {
      one.router == other.router && one.interactor == other.interactor
    }

    package func hash(into hasher: inout Hasher) {
      hasher.combine(ObjectIdentifier(router))
      hasher.combine(ObjectIdentifier(interactor))
    }
  }

  package let hasView: Bool
  /// Nil for a decoded snapshot, whose names are known.
  private let types: Types?
  private let known = AtomicLazyReference<SharedBox<Names>>()

  init(_ types: Types, hasView: Bool) {
    self.types = types
    self.hasView = hasView
  }

  /// - Parameter name: the name of the RIB.
  package init(name: String, router: String, interactor: String, hasView: Bool) {
    types = nil
    self.hasView = hasView
    _ = known.storeIfNil(SharedBox(Names(rib: name, router: router, interactor: interactor)))
  }

  package var names: Names {
    if let names = known.load() { return names.value }
    guard let types else { fatalError("A kind has names or types.") }
    let names = Names(
      rib: nameOfRIB(types.router, interactor: types.interactor), router: String(describing: types.router),
      interactor: String(describing: types.interactor))
    return known.storeIfNil(SharedBox(names)).value
  }
}
