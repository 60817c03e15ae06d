// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// Something that happened in a tree.
public struct TreeEvent: Sendable {
  /// The kind of an event. More kinds may be added, so a `switch` over them needs a `default`.
  public struct Kind: Hashable, Sendable, CustomStringConvertible {
    /// Compared in place of the names, which takes longer.
    @usableFromInline
    enum Name: UInt8, Sendable {
      case attached, activated, loaded, resigned, detached, childrenUpdated
      case taskStarted, taskEnded, taskFailed, workerStarted, workerStopped
      case workflowStepEnded, workflowStepFailed, misuse, leaked, ended, restored
      case failed, restarted, restartsExhausted
    }

    @usableFromInline let name: Name

    @inlinable
    init(name: Name) { self.name = name }

    // Written out so that they can be inlined.

    @inlinable
    public static func == (one: Kind, other: Kind) -> Bool { one.name == other.name }

    @inlinable
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }

    /// The name of the kind.
    public var description: String { String(describing: name) }

    /// A RIB was attached to an active parent, or launched as a root. Its descendants emit `activated` only.
    @inlinable public static var attached: Kind { Kind(name: .attached) }
    /// A RIB became active; `didBecomeActive()` follows.
    @inlinable public static var activated: Kind { Kind(name: .activated) }
    /// A router is loaded for the first time; `didLoad()` follows.
    @inlinable public static var loaded: Kind { Kind(name: .loaded) }
    /// A RIB has resigned: it is inactive, and its bound work has been cancelled. The duration is the time for which it
    /// was active.
    @inlinable public static var resigned: Kind { Kind(name: .resigned) }
    /// A RIB that has resigned is about to be unlinked from its parent. The duration is the time for which it was
    /// active.
    @inlinable public static var detached: Kind { Kind(name: .detached) }
    /// A `ChildList` of the RIB is synchronized with its models; `changes` counts the changes. Events of the attached
    /// and detached children precede this one.
    @inlinable public static var childrenUpdated: Kind { Kind(name: .childrenUpdated) }
    /// Bound work was started; `work` identifies it.
    @inlinable public static var taskStarted: Kind { Kind(name: .taskStarted) }
    /// Bound work has ended, by itself or cancelled; see `isCancelled`. The result of work off the tree was delivered
    /// before, and nothing follows.
    @inlinable public static var taskEnded: Kind { Kind(name: .taskEnded) }
    /// Bound work that was not cancelled threw an error, in `failure`; `didFail(_:of:)` follows.
    @inlinable public static var taskFailed: Kind { Kind(name: .taskFailed) }
    /// A worker begins to run: it was started, and its interactor is active; `didStart(_:)` follows. `worker` names it.
    @inlinable public static var workerStarted: Kind { Kind(name: .workerStarted) }
    /// A worker has stopped: `didStop()` has returned.
    @inlinable public static var workerStopped: Kind { Kind(name: .workerStopped) }
    /// A step of a workflow has produced its value. The duration includes the wait until its item is active; `work` has
    /// the source location of the step.
    @inlinable public static var workflowStepEnded: Kind { Kind(name: .workflowStepEnded) }
    /// A step of a workflow has failed. The error, in `failure`, is the one that it threw, or a `WorkflowError`.
    @inlinable public static var workflowStepFailed: Kind { Kind(name: .workflowStepFailed) }
    /// A RIB can't continue, because of the error in `failure`. It is restarted, or detached and its parent asked. If
    /// bound work threw the error, `work` identifies it.
    @inlinable public static var failed: Kind { Kind(name: .failed) }
    /// A RIB was built anew and attached after it had failed; `restarts` counts its restarts.
    @inlinable public static var restarted: Kind { Kind(name: .restarted) }
    /// A RIB has failed and is not restarted again, because its container has reached its limit, in `restarts`. It is
    /// detached, and its parent is asked.
    @inlinable public static var restartsExhausted: Kind { Kind(name: .restartsExhausted) }
    /// A programming error was refused; see `misuse`.
    @inlinable public static var misuse: Kind { Kind(name: .misuse) }
    /// A RIB that has left the tree is still alive; see `leak`. The duration is the time since it resigned.
    @inlinable public static var leaked: Kind { Kind(name: .leaked) }
    /// The tree has ended: all its RIBs have resigned.
    @inlinable public static var ended: Kind { Kind(name: .ended) }
    /// The tree was restored from a saved one, and all its RIBs are active. `untaken` says what was not restored. Emitted
    /// again if that is not empty when a restored RIB becomes active that a stack had covered, or that was restarted.
    @inlinable public static var restored: Kind { Kind(name: .restored) }
  }

  /// The kind of the event.
  public let kind: Kind
  /// The RIB of the event; nil if the event concerns the tree, or a RIB that is no longer in it.
  public let node: NodeID?
  /// The name of the RIB, the last component of its path; of the root for an event of the tree. Reading it allocates
  /// nothing.
  public var rib: RIBName { path.rib }
  /// The RIB's parent; nil for the root.
  public let parent: NodeID?
  /// The path of the RIB, at the time of the event or before it left the tree.
  public private(set) var path: TreePath
  /// The time of the event since the tree was launched, on the tree's clock.
  public let time: Duration
  /// The duration of the activity or work that ended with this event.
  public let duration: Duration?
  /// The bound work of the event: its key, if it has one, and the file and line that started it.
  public var work: String? { boundWork?.description }
  /// The identity of the bound work in its tree. All started work ends once, with `taskEnded` or `taskFailed`; these
  /// events have the same ID as its start, and the RIB in which the work was started.
  public var workID: BoundWork.ID? { boundWork?.id }
  /// Whether the bound work ended because it was cancelled: its interactor resigned, or later work replaced it. An
  /// error that it threw then is the `failure`, unless it is a `CancellationError`.
  public var isCancelled: Bool { if case .cancelled = detail { true } else { false } }
  /// The key of the bound work, or the workflow that it is part of.
  package var workName: String? { origin?.title }
  /// The file that started the bound work.
  package var workFile: String? { origin?.file }
  /// The type name of the workflow that the bound work is part of.
  public var workflow: String? { origin?.workflow.map { String(describing: $0) } }
  /// Formatted as text only when it is read.
  let boundWork: BoundWork?
  var origin: TaskOrigin? { boundWork?.origin }
  /// The type name of the worker.
  public var worker: String? {
    if case .worker(let type) = detail { String(describing: type) } else { nil }
  }
  /// The error that the work threw, or with which the RIB failed.
  public var failure: (any Error)? {
    switch detail {
    case .failure(let error): error
    case .restarts(_, let error, _): error
    case .cancelled(let error): error
    default: nil
    }
  }
  /// The leak that was found.
  public var leak: Leak? { if case .leak(let leak) = detail { leak } else { nil } }
  /// The misuse that was refused.
  public var misuse: Misuse? { if case .misuse(let misuse) = detail { misuse } else { nil } }
  /// The number of restarts of the RIB within the period of its container.
  public var restarts: Restarts.Count? { if case .restarts(let count, _, _) = detail { count } else { nil } }
  /// Whether the restarted RIB has what was last saved of it. Not in a tree that is not saved, nor before its first save.
  public var isRestored: Bool { if case .restarts(_, _, let isRestored) = detail { isRestored } else { false } }
  /// The changes made by the update of a list of children.
  public var changes: ListChanges? { if case .changes(let changes) = detail { changes } else { nil } }
  /// The paths of what a restore has left of a saved tree, in its order: RIBs whose name no child has that was attached
  /// there during the launch, containers that their router no longer lists (`Root "stage"`), and RIBs whose interactor no
  /// longer saves a state. They are saved unchanged with the tree until the program takes them, or names them in
  /// `SavedNames.removed`. Also children of a container that has no child in their place any more, such as those covered in
  /// a stack that now releases them, which are discarded. Of a RIB and those below it, only the first is listed.
  public var untaken: [String] { if case .untaken(let paths) = detail { paths } else { [] } }
  /// The former name of `untaken`, from when these records were lost.
  @available(*, deprecated, renamed: "untaken") public var discarded: [String] { untaken }
  let detail: Detail?
  /// What a fold of the events needs beside this event; empty if no inspector observes the tree.
  package internal(set) var edits: [TreeEdit] = []
  /// The tree when the event was emitted, without summaries, if an inspector has requested it.
  package var snapshot: TreeSnapshot? { snapshotBox?.snapshot }
  private var snapshotBox: SnapshotBox?

  init(
    kind: Kind, node: NodeID?, parent: NodeID?, path: consuming TreePath, time: Duration, duration: Duration? = nil,
    work: BoundWork? = nil, detail: Detail? = nil
  ) {
    self.kind = kind
    self.node = node
    self.parent = parent
    self.path = path
    self.time = time
    self.duration = duration
    boundWork = work
    self.detail = detail
  }

  /// Adds the name and the labels of the tree.
  mutating func setTree(_ identity: TreeIdentity) { path = path.inTree(identity) }

  mutating func setSnapshot(_ snapshot: TreeSnapshot) { snapshotBox = SnapshotBox(snapshot) }

  /// An object, so that other events stay small.
  private final class SnapshotBox: Sendable {
    let snapshot: TreeSnapshot

    init(_ snapshot: TreeSnapshot) { self.snapshot = snapshot }
  }

  /// Details that only a few kinds of events have. Stored indirectly, so that other events stay small.
  indirect enum Detail: Sendable {
    case worker(Worker.Type)
    case failure(any Error)
    case cancelled((any Error)?)
    case leak(Leak)
    case misuse(Misuse)
    case changes(ListChanges)
    case untaken([String])
    case restarts(Restarts.Count, (any Error)?, isRestored: Bool = false)
  }
}

extension TreeEvent {
  /// Creates an event of a RIB in a tree.
  ///
  /// - Parameter start: the beginning of the activity that ends with this event.
  init(
    _ kind: Kind, at router: RouterNode, time: Duration, since start: Duration? = nil, detail: Detail? = nil
  ) {
    self.init(
      kind: kind, node: router.nodeID, parent: router.parentID, path: router.path, time: time,
      duration: start.map { time - $0 }, detail: detail)
  }
}

extension TreeEvent: CustomStringConvertible {
  /// The event as one line: the time in seconds, the path, the kind, and then any details: the worker or the work, the
  /// duration, the error, the misuse or the leak.
  ///
  /// `12.345 Root/LoggedIn/Order taskFailed reload (OrderInteractor.swift:31) after 0.250s: timedOut`
  ///
  /// Control characters in the program's own texts are escaped, so an event is always one line.
  public var description: String {
    var line = "\(time.inSeconds) \(path) \(kind)"
    if let worker { line += " \(worker)" }
    if let work { line += " \(work)" }
    if isCancelled { line += " cancelled" }
    if let duration { line += " after \(duration.inSeconds)s" }
    if let restarts { line += " \(restarts)" }
    if isRestored { line += " with its saved state" }
    if let failure { line += ": \(failure)" }
    if let misuse { line += " \(misuse.kind): \(misuse.message)" }
    if let leak { line += " \(leak.type)" }
    if !untaken.isEmpty { line += " without \(untaken.joined(separator: ", "))" }
    return line.onOneLine
  }
}

extension Duration {
  /// The time in seconds, to the millisecond.
  fileprivate var inSeconds: String {
    let (seconds, attoseconds) = components
    let milliseconds = abs(attoseconds) / 1_000_000_000_000_000
    let fraction = String(milliseconds)
    let sign = self < .zero && seconds == 0 ? "-" : ""
    return "\(sign)\(seconds)." + String(repeating: "0", count: 3 - fraction.count) + fraction
  }
}

extension String {
  /// The text with its control characters and line separators escaped.
  fileprivate var onOneLine: String {
    guard unicodeScalars.contains(where: \.breaksLines) else { return self }
    return unicodeScalars.reduce(into: "") { line, scalar in
      line += scalar.breaksLines ? scalar.escaped(asASCII: true) : String(scalar)
    }
  }
}

extension Unicode.Scalar {
  fileprivate var breaksLines: Bool {
    value < 0x20 || (0x7f...0x9f).contains(value) || (0x2028...0x2029).contains(value)
  }
}

extension TreeEvent {
  /// The number of children that an update of a list has attached, detached, moved and updated.
  public struct ListChanges: Hashable, Sendable, CustomStringConvertible {
    /// The number of children attached for new models.
    public let inserted: Int
    /// The number of children detached because their models were removed.
    public let deleted: Int
    /// The number of children that were moved. The others keep their relative order.
    public let moved: Int
    /// The number of children notified that their models had changed.
    public let updated: Int

    package init(inserted: Int, deleted: Int, moved: Int, updated: Int) {
      self.inserted = inserted
      self.deleted = deleted
      self.moved = moved
      self.updated = updated
    }

    /// The changes other than zero: `2 inserted, 1 moved`.
    public var description: String {
      [(inserted, "inserted"), (deleted, "deleted"), (moved, "moved"), (updated, "updated")]
        .filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    }
  }
}
