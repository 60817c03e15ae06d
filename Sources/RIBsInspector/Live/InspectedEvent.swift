public import RIBs

/// A `TreeEvent` that has come from another process.
public struct InspectedEvent: Sendable, Hashable, Codable {
  /// The tree it happened in.
  public let tree: InspectedTree.ID
  /// Counts the events of the tree, from when it was first followed. Numbers that are left out were lost.
  public let number: Int
  /// What happened: the name of a `TreeEvent.Kind`.
  public let kind: String
  /// The RIB it happened to; nil where it concerns the tree, or a RIB that is not part of it any more.
  public let node: NodeID?
  /// The RIB's parent; nil for the root.
  public let parent: NodeID?
  /// The names of the RIBs from the root, or of a path longer than 64 RIBs the last 64.
  public let path: [String]
  /// When it happened, in nanoseconds since the tree was launched.
  public let timeNanoseconds: Int64
  /// How long what has ended here had lasted, in nanoseconds.
  public let durationNanoseconds: Int64?
  /// The bound work it is about.
  public let work: String?
  /// The worker it is about.
  public let worker: String?
  /// What the work threw, what was refused or what stayed alive, in words.
  public let message: String?

  init(_ event: TreeEvent, tree: InspectedTree.ID, number: Int) {
    self.tree = tree
    self.number = number
    kind = event.kind.description
    node = event.node
    parent = event.parent
    path = event.path.components
    timeNanoseconds = event.time.wholeNanoseconds
    durationNanoseconds = event.duration?.wholeNanoseconds
    work = event.work
    worker = event.worker
    message =
      event.failure.map { String(describing: $0) } ?? event.misuse?.description
      ?? event.leak.map(String.init(describing:))
  }

  /// When it happened, since the tree was launched.
  public var time: Duration { .nanoseconds(timeNanoseconds) }

  /// How long what has ended here had lasted.
  public var duration: Duration? { durationNanoseconds.map { .nanoseconds($0) } }
}
