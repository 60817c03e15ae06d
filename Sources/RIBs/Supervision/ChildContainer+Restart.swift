extension ChildContainer {
  /// What happens to a child that has failed.
  enum RestartDecision {
    case restarts
    case limitReached
    /// Another route was set, and the container is about to detach the child.
    case leaves
  }

  /// Restarts a child that has failed: it resigns with everything below, and is built anew after a pause.
  final func restart(_ child: RouterNode, by supervisor: Supervisor, in tree: TreeCore) -> RestartDecision {
    guard let owner, let place = place(of: child) else { return .leaves }
    guard supervisor.begin(at: place, tree.now()) else { return .limitReached }
    withdraw(child, from: place)
    detach(child, from: owner)
    // The callbacks of the child may have set another route, or ended the owner.
    let pause = supervisor.pause(at: place, tree.now(), &tree.random)
    let task = PauseTask(of: child, at: place, in: self, for: pause)
    guard supervisor.pause(task) else { return .restarts }
    let isStarted = owner.interactorForTasks?.handle(of: task, nil, .concurrent).isRunning ?? false
    if !isStarted, !task.hasEnded { losePause(at: place) }
    return .restarts
  }

  /// Builds the child anew at the end of the pause.
  final func endPause(_ pause: PauseTask) {
    guard let owner, !owner.cannotAttach else { return losePause(at: pause.place) }
    let child = rebuild(at: pause.place) { child in
      guard child === pause.failed else { return true }
      owner.report(.failedChildReturned(child: child))
      return false
    }
    guard let child, child.state.isActive, let tree = child.tree(observedFor: .restarted),
      let count = supervisor?.count(at: pause.place, tree.now())
    else { return }
    tree.emit(.restarted, at: child, nil, .restarts(count, nil))
  }

  /// Gives a restart up, because the owner has resigned. The container is then as if other code had detached the child.
  final func losePause(at place: Int) {
    guard let supervisor, supervisor.isRestarting(place) else { return }
    supervisor.end(at: place)
    didLoseChild(at: place)
  }
}
