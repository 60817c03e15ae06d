// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// What a walk does.
enum ScopeAction: Int, CaseIterable {
  // The tree.
  case attachNew, attachHeld, detach, detachSubject, holdOrRelease, deactivateByHand, activateByHand, load
  case launch, relaunch, endTree, endOwnTree, dropTree, shutDown, snapshot, fail, save, setNeedsSave, checkpoint
  // Containers.
  case makeContainers, setRoute, clearRoute, pushRoute, popRoute, changeStack, updateList, moveList, setWindow
  case setNeedsUpdate, dropContainer
  // Work.
  case task, namedTask, run, prepare, slices, cancelHandle, cancelKey
  case worker, stopWorker, workflow, workflowInTask, disposeWorkflow, commitLater
  case subscribe, accept, dispose, disposeOnDeactivate, scoped, pager, resume, advance, outside

  /// How often it is done in a walk through everything, compared with the others.
  fileprivate var weight: Int {
    switch self {
    case .attachNew: 12
    case .attachHeld: 10
    case .detach, .detachSubject: 7
    case .holdOrRelease: 6
    case .task, .namedTask, .workflow: 6
    case .run, .setRoute, .pushRoute, .updateList, .worker, .makeContainers, .resume: 4
    case .deactivateByHand, .activateByHand, .load, .endTree, .endOwnTree, .dropTree, .relaunch, .outside: 1
    case .fail, .advance, .save, .setNeedsSave, .checkpoint: 2
    default: 3
    }
  }
}

/// What a walk chooses from.
enum ScopeCourse {
  /// All actions, in all callbacks.
  case everything
  /// Actions on workers and on their interactors, in all callbacks.
  case workers
  /// What a correct program does between the callbacks of one tree that does not end: nothing is refused. Without timeouts,
  /// whose errors would come in the place of others.
  case correct

  /// How often an action is done, compared with the others.
  func weight(of action: ScopeAction) -> Int {
    switch self {
    case .everything: action.weight
    case .workers: ScopeCourse.ofWorkers[action] ?? 0
    // In a long walk, what waits must not become more and more.
    case .correct where action == .resume: 16
    case .correct: ScopeCourse.refused.contains(action) ? 0 : action.weight
    }
  }

  private static let ofWorkers: [ScopeAction: Int] = [
    .worker: 8, .stopWorker: 3, .disposeOnDeactivate: 1, .activateByHand: 3, .deactivateByHand: 3, .attachHeld: 3,
    .detach: 3, .attachNew: 1, .holdOrRelease: 1, .launch: 1, .relaunch: 1, .endTree: 1,
  ]
  private static let refused: Set<ScopeAction> = [
    .activateByHand, .deactivateByHand, .load, .fail, .launch, .relaunch, .endTree, .endOwnTree, .dropTree, .shutDown,
    .outside,
  ]
}
