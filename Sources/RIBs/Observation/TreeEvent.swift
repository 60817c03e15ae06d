/// Something that happened in a tree.
public struct TreeEvent: Sendable {
  /// What happened. More kinds may come, so a `switch` over them needs a `default`.
  public struct Kind: Hashable, Sendable, CustomStringConvertible {
    /// What is compared, as names take longer.
    @usableFromInline
    enum Name: UInt8, Sendable {
      case attached, activated, loaded, resigned, detached, childrenUpdated
      case taskStarted, taskEnded, taskFailed, workerStarted, workerStopped
      case workflowStepEnded, workflowStepFailed, misuse, leaked, ended
    }

    @usableFromInline let name: Name

    @inlinable
    init(name: Name) { self.name = name }

    // These two are written out so that they can be inlined.

    @inlinable
    public static func == (one: Kind, other: Kind) -> Bool { one.name == other.name }

    @inlinable
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }

    /// The name of the kind.
    public var description: String { String(describing: name) }

    /// Of a set of kinds, what stands for this one.
    @inline(__always) var bit: UInt32 { 1 << UInt32(name.rawValue) }

    /// What stands for all kinds of events of bound work.
    static var bitsOfWork: UInt32 { taskStarted.bit | taskEnded.bit | taskFailed.bit }

    /// A RIB was attached to an active parent, or launched as a root. Its descendants follow with `activated` only.
    @inlinable public static var attached: Kind { Kind(name: .attached) }
    /// A RIB became active; `didBecomeActive()` follows.
    @inlinable public static var activated: Kind { Kind(name: .activated) }
    /// A router is loaded for the first time; `didLoad()` follows.
    @inlinable public static var loaded: Kind { Kind(name: .loaded) }
    /// A RIB has resigned: it is inactive, and what was bound to it has been cancelled. The duration is that of its
    /// activity.
    @inlinable public static var resigned: Kind { Kind(name: .resigned) }
    /// A RIB that has resigned is about to be unlinked from its parent. The duration is that of its activity.
    @inlinable public static var detached: Kind { Kind(name: .detached) }
    /// A `ChildList` of the RIB is synchronized with its models again; `changes` says what it has done. The events of the
    /// children that were attached and detached came before.
    @inlinable public static var childrenUpdated: Kind { Kind(name: .childrenUpdated) }
    /// Bound work was started; `work` says where.
    @inlinable public static var taskStarted: Kind { Kind(name: .taskStarted) }
    /// Bound work has ended, by itself or cancelled, as `isCancelled` says. If it ran off the tree, its result has been handed over before, and
    /// nothing is left to come of it.
    @inlinable public static var taskEnded: Kind { Kind(name: .taskEnded) }
    /// Bound work that was not cancelled has thrown an error, in `failure`; `didFail(_:of:)` follows.
    @inlinable public static var taskFailed: Kind { Kind(name: .taskFailed) }
    /// A worker begins to run: it was started, and its interactor is active; `didStart(_:)` follows. It is named by
    /// `worker`.
    @inlinable public static var workerStarted: Kind { Kind(name: .workerStarted) }
    /// A worker has stopped: `didStop()` has returned.
    @inlinable public static var workerStopped: Kind { Kind(name: .workerStopped) }
    /// A step of a workflow has produced its value. The duration includes the wait for its item to be active; `work` says
    /// where the step was written.
    @inlinable public static var workflowStepEnded: Kind { Kind(name: .workflowStepEnded) }
    /// A step of a workflow has failed, with the error in `failure`: what it threw, or a `WorkflowError`.
    @inlinable public static var workflowStepFailed: Kind { Kind(name: .workflowStepFailed) }
    /// Something was refused, in `misuse`.
    @inlinable public static var misuse: Kind { Kind(name: .misuse) }
    /// A RIB that has left the tree is still alive, as `leak` says. The duration is how long it has been since it
    /// resigned.
    @inlinable public static var leaked: Kind { Kind(name: .leaked) }
    /// The tree has ended: all its RIBs have resigned.
    @inlinable public static var ended: Kind { Kind(name: .ended) }
  }

  /// What happened.
  public let kind: Kind
  /// The RIB it happened to; nil where it concerns the tree, or a RIB that is not part of it any more.
  public let node: NodeID?
  /// The RIB's parent; nil for the root.
  public let parent: NodeID?
  /// Where the RIB stands, or stood.
  public let path: TreePath
  /// When it happened, on the tree's clock, since the tree was launched.
  public let time: Duration
  /// How long what has ended here had lasted.
  public let duration: Duration?
  /// The bound work it is about: the file and line that started it, and its name if it has one.
  public var work: String? { boundWork?.description }
  /// Tells the bound work it is about from all other work of the tree. Each work that has started ends once: with
  /// `taskEnded` or `taskFailed`, which carry the same id, and the RIB that the work was started in.
  public var workID: WorkID? { boundWork?.id }
  /// Whether the bound work ended because it was cancelled: its interactor resigned, or later work took its place. What it
  /// threw then, if not a `CancellationError`, is the `failure`.
  public var isCancelled: Bool { if case .cancelled = detail { true } else { false } }
  /// The name that the bound work was given, or the workflow that it is a part of.
  package var workName: String? { origin?.title }
  /// The file that started the bound work.
  package var workFile: String? { origin?.file }
  /// The workflow that the bound work is a part of, by its type.
  public var workflow: String? { origin?.workflow.map { String(describing: $0) } }
  /// Made into a text only when it is read.
  let boundWork: BoundWork?
  var origin: TaskOrigin? { boundWork?.origin }
  /// The worker it is about, by its type.
  public var worker: String? {
    if case .worker(let type) = detail { String(describing: type) } else { nil }
  }
  /// What the work threw.
  public var failure: (any Error)? {
    switch detail {
    case .failure(let error): error
    case .cancelled(let error): error
    default: nil
    }
  }
  /// What stayed alive.
  public var leak: Leak? { if case .leak(let leak) = detail { leak } else { nil } }
  /// What was refused.
  public var misuse: Misuse? { if case .misuse(let misuse) = detail { misuse } else { nil } }
  /// What the update of a list of children has done.
  public var changes: ListChanges? { if case .changes(let changes) = detail { changes } else { nil } }
  let detail: Detail?

  init(
    kind: Kind, node: NodeID?, parent: NodeID?, path: TreePath, time: Duration, duration: Duration? = nil,
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

  /// What events of few kinds tell: kept apart, so that those of the others are small.
  indirect enum Detail: Sendable {
    case worker(Worker.Type)
    case failure(any Error)
    case cancelled((any Error)?)
    case leak(Leak)
    case misuse(Misuse)
    case changes(ListChanges)
  }
}

extension TreeEvent {
  /// Something that happens to a RIB of a tree.
  ///
  /// - Parameter start: when what ends with this began.
  init(
    _ kind: Kind, at router: RouterNode, time: Duration, since start: Duration? = nil, detail: Detail? = nil
  ) {
    self.init(
      kind: kind, node: router.nodeID, parent: router.parentID, path: router.path, time: time,
      duration: start.map { time - $0 }, detail: detail)
  }
}

extension TreeEvent: CustomStringConvertible {
  /// The event as one line: the time in seconds, the path, the kind, and then whatever else there is: the worker or the
  /// work, the duration, what was thrown, refused or left alive.
  ///
  /// `12.345 Root/LoggedIn/Order taskFailed reload (OrderInteractor.swift:31) after 0.250s: timedOut`
  ///
  /// What comes from a program's own texts is escaped, so that no event takes more than its line.
  public var description: String {
    var line = "\(time.inSeconds) \(path) \(kind)"
    if let worker { line += " \(worker)" }
    if let work { line += " \(work)" }
    if isCancelled { line += " cancelled" }
    if let duration { line += " after \(duration.inSeconds)s" }
    if let failure { line += ": \(failure)" }
    if let misuse { line += " \(misuse.kind): \(misuse.message)" }
    if let leak { line += " \(leak.type)" }
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
  /// This with its control characters and line separators escaped.
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
