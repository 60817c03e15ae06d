// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// The state of a launched tree, shared by its RIBs and its running tasks.
///
/// `Tree` owns it and is the only handle to it from outside. So releasing the `Tree` ends the tree even while running
/// tasks retain this object.
@usableFromInline
package final class TreeCore {
  package let settings: TreeSettings
  /// Runs the code of the tree.
  let work: TreeWork
  /// The tree's actor. Weak, because the actor usually owns the tree. Running tasks keep it alive.
  private(set) weak var actor: (any Actor)?
  /// The time since launch, on the tree's clock.
  package let now: Stopwatch
  /// The root, until it has resigned at the end of the tree.
  package private(set) var rootNode: RouterNode?
  /// What hangs on the lifecycle, in the order in which it is called.
  @exclusivity(unchecked) var parts: [TreePart] = []
  /// The moments in which a part takes part.
  @exclusivity(unchecked) @usableFromInline var moments: TreeMoments = []
  @exclusivity(unchecked) @usableFromInline private(set) var state: TreeState
  /// The ID of the RIB that received its ID last.
  @exclusivity(unchecked) package private(set) var lastID: UInt64 = 0
  /// The number of starts of bound work so far.
  private var lastWorkID: UInt64 = 0

  /// - Parameter measuresCalls: whether each call is measured as a turn.
  init(
    root: RouterNode, _ settings: TreeSettings, home: any Actor, _ now: Stopwatch, _ work: TreeWork,
    measuresCalls: Bool
  ) {
    rootNode = root
    self.settings = settings
    actor = home
    self.now = now
    self.work = work
    state = TreeState(measuresCalls: measuresCalls)
  }

  /// Whether events of any kind are observed.
  var isObserved: Bool { follows(.exactTimes) }

  /// Whether a part receives events of a kind.
  @inline(__always)
  func isObserved(_ kind: TreeEvent.Kind) -> Bool { moments.contains(TreeMoments(kind)) }

  /// The name and the labels of the tree, if it has any.
  var identity: TreeIdentity? { settings.identity }

  /// Whether work can be started: not after the end of the tree, and not while its actor is being released.
  var canStartWork: Bool { !hasEnded && actor != nil }

  /// Traps in debug builds if the tree is accessed outside its actor.
  @usableFromInline
  func checkIsolation() {
    #if DEBUG
      // While the actor is being released, and the tree with it, no other code can access the tree.
      if !hasEnded {
        actor?.preconditionIsolated(
          """
          This tree is used from outside the actor it was launched on. Move work off the tree with run or inParallel, \
          with Sendable values, and enter the tree with perform.
          """)
      }
    #endif
  }

  #if DEBUG
    /// Traps if an object that was active in this tree is released outside its actor, while the tree is active.
    func checkRelease(of object: AnyObject) {
      guard !hasEnded else { return }
      actor?.preconditionIsolated(
        """
        \(type(of: object)) was released outside the actor of its tree, with all that it owns. Remove its isolated \
        deinit, and end what it owns in willResignActive() or didStop(); or release it in the tree.
        """)
    }
  #endif

  func nextID() -> UInt64 {
    lastID += 1
    return lastID
  }

  // MARK: Ending

  /// Whether the tree ends or has ended.
  package var hasEnded: Bool { !state.isRunning }

  /// Makes all RIBs resign, children first. If it is called in a callback of a resigning RIB, the rest resigns later.
  func end(_ reason: TreeEnded.Reason) {
    guard !hasEnded else { return }
    for part in parts { part.treeWillEnd(reason, self) }
    // A part that saves calls code of the program, which may have ended the tree.
    guard state.end(reason) else { return }
    work.runEnd(of: self) { rootNode?.resignAsRoot() }
  }

  /// Called when the root has resigned.
  func rootDidResign() {
    let root = rootNode.take()
    if isObserved(.ended), let root {
      emit(TreeEvent(kind: .ended, node: nil, parent: nil, path: root.path, time: now()))
    }
    state.rootDidResign()
    for part in parts { part.treeDidEnd(self) }
    work.discardPostponed()
    if let reason = state.reason { settings.onEnd(reason, actor) }
    work.treeDidEnd(self)
    if state.isComplete { complete() }
  }

  /// The error of a call after the end of the tree.
  @usableFromInline var absence: any Error {
    if case .failed(let failure) = state.reason { failure } else { TreeEnded() }
  }

  // MARK: Bound work

  /// Counts the start of work.
  ///
  /// - Returns: its ID; zero if the tree has ended, so that the work does not belong to it, as with a workflow chain
  ///   that is committed too late.
  func workDidStart() -> UInt64 {
    guard state.workDidStart() else { return 0 }
    lastWorkID += 1
    return lastWorkID
  }

  /// Delays the completion of the events until `releaseEvents()`, because a stopping worker has yet to be reported.
  func holdEvents() { state.hold() }

  func releaseEvents() {
    if state.workDidEnd() { complete() }
  }

  // MARK: Calls and readers from outside

  /// The interactor of the root, until the root has resigned; nil if it is a test double.
  var rootInteractor: Interactor? { rootNode?.interactorCore }

  var rootPath: TreePath? { rootNode?.path }

  /// Whether nothing runs in the tree but work that sleeps until a wall time, nothing outside reads its values, and all its
  /// changes are saved.
  var isIdle: Bool { parts.allSatisfy(\.isIdle) && !hasAwakeWork }

  /// Whether the tree has bound work that does not sleep until a wall time.
  ///
  /// - Complexity: constant if no work of the tree has ever slept, otherwise linear in the number of those that sleep.
  var hasAwakeWork: Bool {
    guard hasRunningWork, follows(.sleeping) else { return hasRunningWork }
    return state.runningWork != parts.reduce(0) { $0 + $1.sleepingWork(in: self) }
  }

  /// Whether the tree has bound work that runs.
  var hasRunningWork: Bool { state.runningWork > 0 }

  /// Called when the tree and all its work have ended.
  private func complete() { for part in parts { part.treeDidComplete() } }
}

/// A weak reference to a tree that can be carried to the tree's actor.
final class WeakTreeBox: TreeConfined {
  private(set) weak var tree: TreeCore?

  init(_ tree: TreeCore) { self.tree = tree }
}

#if DEBUG
  extension TreeCore: IsolationDomain {}
#endif
