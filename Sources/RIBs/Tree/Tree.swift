/// A tree of RIBs that runs on one actor.
///
/// A tree belongs to the actor that launches it, and so does everything in it: routers, interactors, components and
/// streams are used there, need no lock and no annotation, and can't be handed to another actor. A command-line program
/// launches its tree on the main actor:
///
/// ```swift
/// let tree = Tree(root: RootBuilder(dependency: AppComponent()).build())
/// tree.launch()
/// …
/// await tree.shutdown(timeout: .seconds(5))
/// ```
///
/// A server that keeps a tree for each of many users gives each a `TreeHost`.
///
/// When the `Tree` is released, the tree ends. While bound work runs, it keeps the actor that the tree lives on: an
/// actor that owns a tree and may be dropped without notice should end its tree first, or leave that to a `TreeHost`.
public final class Tree {
  /// How the tree is run.
  public let configuration: TreeConfiguration

  /// Nil only while this is released.
  private var root: (any Routing)?
  private let eventRelay = PublishRelay<TreeEvent>()
  @exclusivity(unchecked) private(set) var core: TreeCore?

  /// Creates a tree that has yet to be launched.
  ///
  /// - Parameters:
  ///   - root: the router of the root RIB, which the tree owns from now on.
  ///   - configuration: how the tree is run.
  public init(root: any Routing, configuration: TreeConfiguration = TreeConfiguration()) {
    self.root = root
    self.configuration = configuration
  }

  deinit {
    core?.end()
    // The rest of the tree is released in a loop, however deep it is.
    guard let root = root?._node?.retain() else { return }
    self.root = nil
    if let core { root._withUnsafeGuaranteedRef { core.disown($0) } }
    ReleaseQueue.release(root)
  }

  /// Makes the root and everything attached to it active. The tree lives on the calling actor from now on.
  ///
  /// Call it in code that is isolated to an actor: on the main actor, or in a method of an actor. Elsewhere it does not
  /// compile, also in a `nonisolated(nonsending)` function, which runs on an actor that its caller's code does not show: the
  /// compiler would let the launched tree be sent to another actor.
  ///
  /// - Parameter isolation: leave out. In an actor's asynchronous initializer, before all properties are initialized, there
  ///   is none: nothing is launched, and that is reported.
  /// - Returns: whether the tree was launched. A tree is launched once.
  @discardableResult
  public func launch(isolation: isolated any Actor = #isolation) -> Bool {
    // What an asynchronous initializer passes, against the type of the parameter (Swift 6.3).
    let isMissing = UInt(bitPattern: Unmanaged.passUnretained(isolation as AnyObject).toOpaque()) == 0
    guard !isMissing else {
      refuse(.noIsolation)
      return false
    }
    return launch(on: isolation)
  }

  /// Launches the tree on an actor whose code can't run beside the caller's.
  package func launch(on home: any Actor) -> Bool { launchOrRefuse(on: home) == nil }

  /// Launches the tree.
  ///
  /// - Returns: why it was not launched, which has been reported.
  func launchOrRefuse(on home: any Actor) -> Misuse? {
    guard let node = root?._node?.takeUnretainedValue() else {
      return refuse(.rootIsNotRouter(root.map { String(describing: type(of: $0)) } ?? ""))
    }
    guard core == nil, node.canBeLaunched else { return refuse(.alreadyLaunched) }
    let core = TreeCore(root: node, configuration: configuration, events: eventRelay, home: home)
    self.core = core
    node.owningTrees += 1
    core.notifyInspectorOfLaunch()
    // The inspector may have ended the tree, whose root has never become active then.
    guard !core.hasEnded else {
      core.rootDidResign()
      return nil
    }
    node.launch(in: core)
    return nil
  }

  /// What happens in the tree, as it happens. Subscribe before `launch()` to miss nothing. It ends when the tree has
  /// ended and the last of its bound work too.
  ///
  /// Subscribers are called during the operation that they are told of, and may themselves attach and detach.
  public var events: Observable<TreeEvent> { eventRelay.asObservable() }

  /// Whether the tree was launched and has not ended.
  public var isActive: Bool { core.map { !$0.hasEnded } ?? false }

  /// The tree as it stands.
  ///
  /// - Complexity: linear in the number of RIBs.
  public func snapshot() -> TreeSnapshot {
    guard let node = root?._node?.takeUnretainedValue() else { return TreeSnapshot(nodes: []) }
    return TreeSnapshot(of: node, at: core?.now() ?? .zero)
  }

  /// Ends the tree: all RIBs resign, children first and the last attached first, and what was bound to them is
  /// cancelled. Nothing can be attached any more.
  ///
  /// Called inside a callback of a RIB that is resigning, the rest of the tree resigns after that callback has returned.
  public func end() {
    // Held here, because a callback may drop the tree.
    let core = core
    core?.checkIsolation()
    core?.end()
  }

  /// Ends the tree and waits for its bound work.
  ///
  /// - Parameter timeout: how long to wait, on the tree's clock, for work that ignores its cancellation. The wait is
  ///   not cut short by the cancellation of the calling task. Without a timeout it takes as long as it takes, or until the
  ///   calling task is cancelled. The limit does not include the time in which the RIBs resign, nor that in which other
  ///   code holds the caller's actor.
  /// - Returns: what was still running when the wait was over, by the path of its RIB; without the work that calls this.
  @discardableResult
  public nonisolated(nonsending) func shutdown(timeout: Duration? = nil) async -> ShutdownReport {
    end()
    return await core?.waitForTasks(timeout: timeout, caller: callingTask()) ?? ShutdownReport(unfinishedTasks: [])
  }

  /// The work that still runs although its scope is gone.
  package var unfinishedWork: ShutdownReport { core?.unfinishedWork ?? ShutdownReport(unfinishedTasks: []) }

  /// Reports what has stayed alive so far of RIBs that have left the tree, without waiting as long as is usual.
  package func lookForLeaks() { core?.leaks?.lookAtAll() }

  @discardableResult
  private func refuse(_ problem: Misuse.Problem) -> Misuse {
    let path =
      root?._node.map { $0._withUnsafeGuaranteedRef { $0.path } } ?? TreePath(root.map { [type(of: $0)] } ?? [])
    let misuse = Misuse(problem, path: path)
    (configuration.onMisuse ?? MisuseHandling.handler)(misuse)
    return misuse
  }
}

/// Tells the calling Swift task from all others that exist; nil where none runs.
func callingTask() -> Int? { withUnsafeCurrentTask { $0?.hashValue } }
