// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

extension ChildContainer {
  /// What happens to a child that has failed.
  enum RestartDecision {
    case restarts
    /// The container has made as many restarts as its limit.
    case limitReached(Int)
    /// The container restarts no children.
    case restartsNone
    /// The child was replaced or removed, and the container is about to detach it.
    case isReplaced
  }

  /// Restarts a child that has failed, if its container does that: it resigns with everything below, and is built anew
  /// after a pause.
  final func decide(on child: RouterNode, in tree: TreeCore) -> RestartDecision {
    guard let owner, let place = place(of: child) else { return .isReplaced }
    guard let supervisor, supervisor.restarts.limit > 0 else { return .restartsNone }
    let isRestarted = supervisor.begin(
      at: place, tree.now(), named: supervisor.keyOfPause(of: child),
      supervisor.restarts.state == .fresh ? .empty(child) : tree.saver?.saved(of: child) ?? .empty(child))
    guard isRestarted else { return .limitReached(supervisor.restarts.limit) }
    withdraw(child, from: place)
    suspendingUpdates { detach(child, from: owner) }
    // The callbacks of the child may have set another route, or ended the owner.
    beginPause(child, at: place, supervisor, owner, in: tree)
    return .restarts
  }

  private final func beginPause(
    _ failed: RouterNode?, at place: Int, _ supervisor: Supervisor, _ owner: RouterNode, in tree: TreeCore
  ) {
    guard isShown(place), let key = supervisor.key(at: place) else { return }
    let attempt = supervisor.count(at: place, tree.now())?.made ?? 1
    let pause = supervisor.restarts.backoff.pause(before: attempt, using: &tree.failures.random)
    let task = PauseTask(named: key, failed, at: place, in: self, for: pause)
    guard supervisor.pause(task) else { return }
    let isStarted = owner.interactorForTasks?.start(task, overlap: .concurrent).isRunning ?? false
    if !isStarted, !task.hasEnded { losePause(task) }
  }

  /// Builds the child anew at the end of the pause.
  final func endPause(_ pause: PauseTask) {
    guard let owner, !owner.cannotAttach else { return losePause(pause) }
    let saved = supervisor?.saved(at: pause.place)
    var refusal: SavedTree.RestoreError?
    let child = rebuild(at: pause.place) { child in
      guard child !== pause.failed else {
        owner.report(
          .error(
            .failedChildReturned,
            "\(child.title) was not restarted: its container was given the RIB that has failed.",
            advice: "Build a new RIB in the container's closure each time it is called."))
        return false
      }
      do throws(SavedTree.RestoreError) {
        if let saved, !saved.isEmpty { try owner.nearestTree?.restoreRestarted(child, from: saved) }
        return true
      } catch {
        refusal = error
        return false
      }
    }
    owner.nearestTree?.endRestart()
    // The same record would be refused again, so the RIB that holds the child can't go on.
    if let refusal { return owner.fail(refusal, of: nil) }
    guard let child, child.state.isActive, let tree = child.tree, tree.isObserved(.restarted),
      let count = supervisor?.count(at: pause.place, tree.now())
    else { return }
    tree.emit(.restarted, at: child, .other(RestartDetail(count: count, isRestored: saved?.isEmpty == false)))
  }

  /// Cancels a restart whose pause was cancelled, because the owner has resigned or other code has cancelled the pause.
  /// The container is then as if other code had detached the child.
  final func losePause(_ pause: PauseTask) {
    guard let supervisor, supervisor.end(pause) else { return }
    didLoseChild(at: pause.place)
  }

  // MARK: Restoring

  /// Discards restored children that did not exist when the tree was saved, because they were about to be restarted.
  /// They are restarted after the launch.
  ///
  /// - Returns: the other children.
  package final func withoutPausing(
    _ children: [(index: Int, child: RouterNode)], _ saved: RouterNode.SavedChildren.Routes
  ) throws(SavedTree.RestoreError) -> [(index: Int, child: RouterNode)] {
    guard let supervisor, let owner, saved.wasActive else { return children }
    var others: [(index: Int, child: RouterNode)] = []
    for (index, child) in children {
      guard let place = place(of: child), let state = try saved.restarting(index, child) else {
        others.append((index, child))
        continue
      }
      supervisor.restore(at: place, of: child.ribName, state)
      withdraw(child, from: place)
      detach(child, from: owner)
    }
    return others
  }

  /// Called when the restored tree was launched: begins the pauses of the children that were about to be restarted when the
  /// tree was saved.
  package final func endRestore() {
    isRestoredEmpty = false
    beginPauses()
  }

  /// Begins the pauses that wait, except those of covered children. Nothing is restarted if the owner has resigned, as when it
  /// does so in a pause.
  final func beginPauses() {
    guard let supervisor, let owner else { return }
    for place in supervisor.waiting where isShown(place) {
      if let tree = owner.tree {
        beginPause(nil, at: place, supervisor, owner, in: tree)
      } else {
        supervisor.end(at: place)
        didLoseChild(at: place)
      }
    }
  }
}
