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
      case failed, restarted, restartsExhausted, taskSleeping, taskWoke
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
    /// Bound work sleeps until a wall time, in `wakes`.
    @inlinable public static var taskSleeping: Kind { Kind(name: .taskSleeping) }
    /// Bound work that has slept continues, because its time has come. Not emitted if it was cancelled.
    @inlinable public static var taskWoke: Kind { Kind(name: .taskWoke) }
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
    case .other(_, let error): error
    case .cancelled(let error): error
    default: nil
    }
  }
  /// The misuse that was refused.
  public var misuse: Misuse? { if case .misuse(let misuse) = detail { misuse } else { nil } }
  /// The paths of what a restore has left of a saved tree, in its order: RIBs whose name no child has that was attached
  /// there during the launch, containers that their router no longer lists (`Root "stage"`), and RIBs whose interactor no
  /// longer saves a state. They are saved unchanged with the tree until the program takes them, or names them in
  /// `SavedNames.removed`. Also children of a container that has no child in their place any more, such as those covered in
  /// a stack that now releases them, which are discarded. Of a RIB and those below it, only the first is listed.
  public var untaken: [String] { if case .untaken(let paths) = detail { paths } else { [] } }
  /// The former name of `untaken`, from when these records were lost.
  @available(*, deprecated, renamed: "untaken") public var discarded: [String] { untaken }
  let detail: Detail?
  /// What a part of the tree has added for those that it passes the event to.
  package internal(set) var attachment: (any AnyObject & Sendable)?

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

  /// Details that only a few kinds of events have. Stored indirectly, so that other events stay small.
  indirect enum Detail: Sendable {
    case worker(any AnyObject.Type)
    case failure(any Error)
    case cancelled((any Error)?)
    case misuse(Misuse)
    case untaken([String])
    /// A detail of a layer above, and the error that belongs to it.
    case other(any Sendable, (any Error)? = nil)
  }
}

extension TreeEvent {
  /// A detail of a layer above; nil if the event has none of that type.
  func detail<Value: Sendable>(_ type: Value.Type = Value.self) -> Value? {
    if case .other(let value, _) = detail { value as? Value } else { nil }
  }

  /// Creates an event of a RIB in a tree.
  ///
  /// - Parameters:
  ///   - path: the path; nil for that of the RIB.
  ///   - start: the beginning of the activity that ends with this event.
  init(
    _ kind: Kind, at router: RouterNode?, path: TreePath? = nil, time: Duration, since start: Duration? = nil,
    work: BoundWork? = nil, detail: Detail? = nil
  ) {
    self.init(
      kind: kind, node: router?.nodeID, parent: router?.parentID, path: path ?? router?.path ?? TreePath(), time: time,
      duration: start.map { time - $0 }, work: work, detail: detail)
  }
}
