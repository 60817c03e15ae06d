// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// A tree of RIBs that runs on one actor.
///
/// A tree, with all its routers, interactors, components and streams, belongs to the actor that launches it. They are
/// used there, need no lock and no annotation, and can't be sent to another actor. A command-line program launches its
/// tree on the main actor:
///
/// ```swift
/// let tree = Tree(root: RootBuilder(dependency: AppComponent()).build())
/// tree.launch()
/// …
/// await tree.shutdown(timeout: .seconds(5))
/// ```
///
/// A server that keeps one tree for each of many users uses a `TreeHost` for each.
///
/// When the `Tree` is released, the tree ends. Running bound work keeps the tree's actor alive. An actor that owns a
/// tree and may be released at any time should end the tree first, or use a `TreeHost`.
public final class Tree {
  /// Until the launch.
  private var configuration: ConfigurationBox?
  /// Nil only while the tree is being released.
  private var root: (any Routing)?
  private let observers: TreeEvents
  package private(set) var core: TreeCore?
  /// The saved tree that this one is restored from, until the launch.
  private(set) var restoration: Restoration?

  /// Creates a tree without launching it.
  ///
  /// - Parameters:
  ///   - root: the router of the root RIB. The tree owns it.
  ///   - configuration: the configuration of the tree.
  public convenience init(root: any Routing, configuration: TreeConfiguration = TreeConfiguration()) {
    let onEnd = configuration.onEnd
    self.init(root: root, ConfigurationBox(configuration) { reason, _ in onEnd?(reason) })
  }

  init(root: any Routing, _ configuration: ConfigurationBox) {
    self.root = root
    self.configuration = configuration
    let value = configuration.value
    observers = TreeEvents(value.onEvent, value.kindsForHandler, value.inspector, value.watchdog)
  }

  deinit {
    if let core { core.end(.released) } else { observers.complete() }
    // The rest of the tree is released in a loop, to any depth.
    guard let root = root?._node?.retain() else { return }
    self.root = nil
    if let core { root._withUnsafeGuaranteedRef { core.disown($0) } }
    ReleaseQueue.release(root)
  }

  /// Launches the tree on the calling actor: activates the root and everything attached to it.
  ///
  /// Call it in code that is isolated to an actor: on the main actor, or in a method of an actor. Elsewhere it does not
  /// compile. That includes `nonisolated(nonsending)` functions: their actor is known only to the caller, and the
  /// compiler would allow the launched tree to be sent to another actor.
  ///
  /// - Parameter isolation: Defaults to the calling actor. An actor's asynchronous initializer has none before all
  ///   properties are initialized: the launch is refused there and reported as misuse.
  /// - Returns: whether the tree was launched, and restored if it was created from a saved one. A tree can be launched
  ///   once.
  @discardableResult
  public func launch(isolation: isolated any Actor = #isolation) -> Bool {
    guard let actor = actorIfAny(isolation) else {
      refuse(
        .error(
          .noIsolation, "The tree can't be launched: no actor runs here for it to live on.",
          advice: "Launch it in a method of an actor or on the main actor, not in an initializer, or use a TreeHost."))
      return false
    }
    return launch(on: actor)
  }

  /// Launches the tree on an actor whose code can't run concurrently with the caller.
  package func launch(on home: any Actor) -> Bool { launchOrRefuse(on: home) == nil && restoreFailure == nil }

  /// Restores the states and the children of containers, before the launch.
  package func restore(_ saved: SavedTree) throws(SavedTree.RestoreError) {
    // The launch refuses another one.
    guard let rootNode, rootNode.canBeLaunched else { return }
    let restoration = Restoration(isLaunched: false)
    try restoration.restore(rootNode, from: saved)
    self.restoration = restoration
  }

  /// Why the launched tree was not restored.
  package var restoreFailure: SavedTree.RestoreError? { core?.restoreFailure }

  /// The root, unless it is a test double.
  package var rootNode: RouterNode? { root?._node?.takeUnretainedValue() }

  /// Launches the tree.
  ///
  /// - Parameter hostActivity: records the code that the tree of a host runs; nil for a tree without a host.
  /// - Returns: why it was not launched, which was reported; nil if it was.
  func launchOrRefuse(on home: any Actor, _ hostActivity: TreeActivity? = nil) -> Misuse? {
    guard let node = rootNode else {
      let name = root.map { "\(type(of: $0))" } ?? ""
      return refuse(
        .error(
          .rootIsNotRouter, "\(name) can't be the root of a tree: it is no router of this package.",
          advice: "Pass a Router. Test doubles are attached to real routers, not launched."))
    }
    guard let configuration, node.canBeLaunched else {
      return refuse(
        .error(
          .alreadyLaunched, "The tree can't be launched: it was launched before, or its root is in use.",
          advice: "Build a new root and make a new tree."))
    }
    let activity = hostActivity ?? TreeActivity()
    activity.setRoot(type(of: node), of: configuration.settings.identity?.name)
    if hostActivity == nil { configuration.value.watchdog?.watch(activity) }
    let core = TreeCore(root: node, configuration, observers, home: home, activity)
    self.core = core
    self.configuration = nil
    node.addOwningTree()
    observers.notifyInspectorOfLaunch(of: core)
    // The inspector may have ended the tree, in which case the root never became active.
    guard !core.hasEnded else {
      core.rootDidResign()
      return nil
    }
    if let restoration = restoration.take() { core.begin(restoration) }
    core.measure(.launch) {
      node.launch(in: core)
      core.notify(.activationEnded, node)
    }
    return nil
  }

  /// The events of the tree, as they happen. Subscribe before `launch()` to receive all of them. Completes when the
  /// tree and the last of its bound work have ended.
  ///
  /// Subscribers are called during the operation that the event is about. They may attach and detach RIBs.
  public var events: Observable<TreeEvent> { observers.all }

  /// Whether the tree was launched and has not ended.
  public var isActive: Bool { core.map { !$0.hasEnded } ?? false }

  /// Takes a snapshot of the tree.
  ///
  /// - Complexity: linear in the number of RIBs.
  public func snapshot() -> TreeSnapshot {
    core?.checkIsolation()
    guard let node = rootNode else { return TreeSnapshot(nodes: []) }
    return TreeSnapshot(of: node, at: core?.now() ?? .zero, core?.identity)
  }

  /// Ends the tree: all RIBs resign, children first and the last attached first, and their bound work is cancelled. No
  /// RIB can be attached afterwards.
  ///
  /// If it is called in a callback of a resigning RIB, the rest of the tree resigns after the callback has returned.
  public func end() {
    // Retained here, because a callback may release the tree.
    let core = core
    core?.checkIsolation()
    core?.end(.shutDown)
  }

  /// Ends the tree and waits for its bound work.
  ///
  /// - Parameter timeout: how long to wait, on the tree's clock, for work that ignores its cancellation. Cancelling the
  ///   calling task does not shorten this wait. Without a timeout, the call waits until all work has ended or the
  ///   calling task is cancelled. The timeout includes neither the time that the RIBs take to resign, nor the time in
  ///   which other code occupies the caller's actor.
  /// - Returns: the work that was still running when the wait ended, by the path of its RIB, excluding the work that
  ///   calls this.
  @discardableResult
  public nonisolated(nonsending) func shutdown(timeout: Duration? = nil) async -> ShutdownReport {
    end()
    return await core?.waitForTasks(timeout: timeout, caller: callingTask()) ?? ShutdownReport(unfinishedTasks: [])
  }

  /// The work that is still running although its scope has ended.
  package var unfinishedWork: ShutdownReport { core?.unfinishedWork ?? ShutdownReport(unfinishedTasks: []) }

  /// Reports the leaks found so far, without waiting for the usual delay.
  package func lookForLeaks() { core?.leaks?.checkAll() }

  @discardableResult
  private func refuse(_ problem: Misuse.Problem) -> Misuse {
    let path = rootNode?.path ?? TreePath(root.map { [type(of: $0)] } ?? [])
    let settings = core?.settings ?? configuration?.settings
    let misuse = Misuse(problem: problem, path: path.inTree(settings?.identity))
    (settings?.onMisuse ?? MisuseHandling.handler)(misuse)
    return misuse
  }
}

/// The identifier of the calling Swift task, unique among existing tasks; nil outside tasks.
func callingTask() -> Int? { withUnsafeCurrentTask { $0?.hashValue } }

/// Nil for the null reference that an actor's asynchronous initializer passes as its isolation, although the type does not
/// allow it (Swift 6.3). Not optimized: the optimizer assumes that the reference is not null.
@inline(never)
@_optimize(none)
func actorIfAny(_ actor: any Actor) -> (any Actor)? { actor }
