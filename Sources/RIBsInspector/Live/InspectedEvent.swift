// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

public import RIBs

/// A `TreeEvent` received from another process.
public struct InspectedEvent: Sendable, Hashable, Codable {
  /// The tree it happened in.
  public let tree: InspectedTree.ID
  /// The number of this event among the recorded events of the tree, from 1. Events are recorded while a client
  /// follows the tree, so a gap between two numbers means lost events.
  public let number: Int
  /// What happened: the name of a `TreeEvent.Kind`.
  public let kind: String
  /// The RIB it happened to; nil if it concerns the tree, or a RIB that has left it.
  public let node: NodeID?
  /// The RIB's parent; nil for the root.
  public let parent: NodeID?
  /// The names of the RIBs from the root; at most the last 64.
  public let path: [String]
  /// The labels of these RIBs, empty for a RIB without one; nil if none has one.
  let labels: [String]?
  /// When it happened, in nanoseconds since the tree was launched.
  public let timeNanoseconds: Int64
  /// How long the work or state that ended here lasted, in nanoseconds.
  public let durationNanoseconds: Int64?
  /// The bound work it concerns.
  public let work: String?
  /// The workflow that the work belongs to, by its type.
  public let workflow: String?
  /// The worker it concerns.
  public let worker: String?
  /// A description of the error thrown, the misuse refused, the leak found, the list change made, or the wall time until
  /// which work sleeps. Truncated to 2,000 bytes of UTF-8.
  public let message: String?
  /// The changes of the tree that the event reports; a fold applies them.
  var changes: [InspectedEdit]?

  /// The labels of the RIBs in `path`, each as `Interactor.ribLabel` was when the event was created; nil for a RIB without
  /// one, and for all RIBs of programs with an earlier version of this package.
  public var ribLabels: [String?] {
    path.indices.map { index in
      guard let labels, index < labels.count, !labels[index].isEmpty else { return nil }
      return labels[index]
    }
  }

  /// - Parameters:
  ///   - path: the components of the path, if they are known already.
  ///   - kind: the name of the kind, if it is known already: making it takes longer than the rest.
  ///   - changes: see `InspectedEdit.all(of:_:)`.
  init(
    _ event: TreeEvent, tree: InspectedTree.ID, number: Int, path: [String]? = nil, kind: String? = nil,
    _ changes: [InspectedEdit]? = nil
  ) {
    self.changes = changes
    self.tree = tree
    self.number = number
    self.kind = kind ?? event.kind.description
    node = event.node
    parent = event.parent
    self.path = path ?? event.path.components
    labels = event.path.writtenLabels
    timeNanoseconds = event.time.wholeNanoseconds
    durationNanoseconds = event.duration?.wholeNanoseconds
    work = event.work
    workflow = event.workflow
    worker = event.worker
    message = InspectedEvent.message(of: event)
  }

  init(
    tree: InspectedTree.ID, number: Int, kind: String, node: NodeID?, parent: NodeID?, path: [String],
    labels: [String]? = nil, timeNanoseconds: Int64, durationNanoseconds: Int64?, work: String?, workflow: String?,
    worker: String?,
    message: String?, changes: [InspectedEdit]?
  ) {
    self.tree = tree
    self.number = number
    self.kind = kind
    self.node = node
    self.parent = parent
    self.path = path
    self.labels = labels
    self.timeNanoseconds = timeNanoseconds
    self.durationNanoseconds = durationNanoseconds
    self.work = work
    self.workflow = workflow
    self.worker = worker
    self.message = message
    self.changes = changes
  }

  /// The maximum size of a message, in bytes of UTF-8. A number of characters is no limit: each may have any size.
  static let longestMessage = 2_000

  static func message(of event: TreeEvent) -> String? {
    let message =
      event.failure.map { String(describing: $0) } ?? event.misuse?.description
      ?? event.leak.map(String.init(describing:)) ?? event.changes?.description ?? event.wakes?.description
    guard let message, message.utf8.count > longestMessage else { return message }
    let mark = "…"
    var end = message.utf8.index(message.startIndex, offsetBy: longestMessage - mark.utf8.count)
    while end.samePosition(in: message.unicodeScalars) == nil { end = message.utf8.index(before: end) }
    return message[..<end] + mark
  }

  /// When it happened, since the tree was launched.
  public var time: Duration { .nanoseconds(timeNanoseconds) }

  /// How long the work or state that ended here lasted.
  public var duration: Duration? { durationNanoseconds.map { .nanoseconds($0) } }
}

extension InspectedEvent: CustomStringConvertible {
  /// The event as one line: time in seconds, path and kind; then worker, work, duration and message, if any.
  ///
  /// `12.345 Root/LoggedIn/Order taskFailed reload (OrderInteractor.swift:31) after 0.250s: timedOut`
  ///
  /// Control characters received from the other process are escaped.
  public var description: String {
    let names = zip(path, ribLabels).map { name, label in name.labeled(label) }
    var line = "\(Self.seconds(time)) \(names.joined(separator: "/")) \(kind)"
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

extension TreePath {
  /// The labels of the RIBs as they are written, empty for a RIB without one; nil if none has one.
  var writtenLabels: [String]? { hasRIBLabels ? ribLabels.map { $0 ?? "" } : nil }
}
