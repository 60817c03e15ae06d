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
