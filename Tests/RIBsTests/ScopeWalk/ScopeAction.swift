// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport

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

  private static let weighted: [ScopeAction] = ScopeAction.allCases.flatMap { action in
    Array(repeating: action, count: action.weight)
  }

  static func random(_ random: inout SplitMix) -> ScopeAction { weighted[random.below(weighted.count)] }

  /// How often it is done, compared with the others.
  private var weight: Int {
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
