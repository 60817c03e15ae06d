public import RIBs

/// A `TreeEvent` that has come from another process.
public struct InspectedEvent: Sendable, Hashable, Codable {
  /// The tree it happened in.
  public let tree: InspectedTree.ID
  /// Counts the events of the tree that were recorded, from 1. Events are recorded while a client follows the tree, so
  /// numbers that are left out between two events were lost.
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
  /// The workflow that the work is a part of, by its type.
  public let workflow: String?
  /// The worker it is about.
  public let worker: String?
  /// What the work threw, what was refused, what stayed alive or what has become of a list of children, in words. Of a
  /// message longer than 2,000 characters only the beginning is sent.
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
    workflow = event.workflow
    worker = event.worker
    message = InspectedEvent.message(of: event)
  }

  /// How many characters a message has at most.
  static let longestMessage = 2_000

  static func message(of event: TreeEvent) -> String? {
    let message =
      event.failure.map { String(describing: $0) } ?? event.misuse?.description
      ?? event.leak.map(String.init(describing:)) ?? event.changes?.description
    guard let message, message.utf8.count > longestMessage, message.count > longestMessage else { return message }
    return message.prefix(longestMessage - 1) + "…"
  }

  /// When it happened, since the tree was launched.
  public var time: Duration { .nanoseconds(timeNanoseconds) }

  /// How long what has ended here had lasted.
  public var duration: Duration? { durationNanoseconds.map { .nanoseconds($0) } }
}

extension InspectedEvent: CustomStringConvertible {
  /// The event as one line: the time in seconds, the path, the kind, and then whatever else there is: the worker or the
  /// work, the duration and the message.
  ///
  /// `12.345 Root/LoggedIn/Order taskFailed reload (OrderInteractor.swift:31) after 0.250s: timedOut`
  ///
  /// What comes from the other process is escaped: no event takes more than its line, or does anything to a terminal.
  public var description: String {
    var line = "\(Self.seconds(time)) \(path.joined(separator: "/")) \(kind)"
    if let worker { line += " \(worker)" }
    if let work { line += " \(work)" }
    if let duration { line += " after \(Self.seconds(duration))s" }
    if let message { line += ": \(message)" }
    return line.escaped()
  }

  private static func seconds(_ time: Duration) -> String {
    let (seconds, attoseconds) = time.components
    let milliseconds = String(abs(attoseconds) / 1_000_000_000_000_000)
    let sign = seconds == 0 && attoseconds < 0 ? "-" : ""
    return "\(sign)\(seconds).\(String(repeating: "0", count: 3 - milliseconds.count))\(milliseconds)"
  }
}
