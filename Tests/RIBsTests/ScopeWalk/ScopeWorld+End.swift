// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import RIBs

/// The end of a walk.
extension ScopeWorld {
  /// Prepares the world: a first tree, and routers that are held.
  func begin() {
    for _ in 0..<(1 + random.below(3)) { if let root = newRouter() { launch(root) } }
    for _ in 0..<random.below(4) { if let router = newRouter() { held.append(router) } }
  }

  /// Ends all trees but for those that are still to be shut down.
  ///
  /// - Returns: the trees that are to be shut down by a task of another one.
  func stop() -> [ScopeTree] {
    budget = 0
    outside = nil
    let remaining = trees
    trees = []
    var shutDownLater: [ScopeTree] = []
    for tree in remaining {
      if random.below(2) == 0 { shutDownLater.append(tree) } else { tree.tree.end() }
    }
    return shutDownLater
  }

  /// The tree of the host ends: nothing more is done, and the root is not kept.
  func endWithHost(_ root: ScopeRouter) {
    budget = 0
    resumeAll()
    held.removeAll { $0 === root }
  }

  /// Releases all that the walk holds itself.
  func clear() {
    budget = 0
    outside = nil
    resumeAll()
    withMisuseHandler({ _ in }) {
      for tree in trees { tree.tree.end() }
      for router in routers { router.interactor.deactivate() }
      for worker in workers { worker.stop() }
      for disposable in disposables { disposable.dispose() }
      for workflow in workflows { workflow.disposable.dispose() }
      let kept = (trees, held, disposables, workers, workflows, laterCommits, handles)
      (trees, held, disposables, workers, workflows, laterCommits, handles) = ([], [], [], [], [], [], [])
      withExtendedLifetime(kept) {}
    }
  }

  /// Whether all trees have ended with their work, as far as observers were called.
  var hasSettled: Bool {
    observers.allSatisfy { $0.subscribed?.hasCompleted ?? true && $0.handled?.unfinishedCount ?? 0 == 0 }
  }

  /// Checks that nothing is left of the trees, and what their observers have been called with.
  func check() {
    for router in routers where router.interactor.isActive && !activatesByHand {
      ledger.fail("\(router.interactor.name) is active although all trees have ended")
    }
    for (handled, subscribed) in observers {
      handled?.check("at the end of the walk")
      handled?.checkOnEnd()
      if let subscribed { ledger.expect(subscribed.hasCompleted, "the events of a tree have not ended") }
      if let handled, let subscribed { subscribed.checkSame(as: handled) }
    }
    ledger.checkErrors()
  }
}
