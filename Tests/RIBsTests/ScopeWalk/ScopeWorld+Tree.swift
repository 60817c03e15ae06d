// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import RIBs
import RIBsTesting

/// Actions on trees and on the places of routers.
extension ScopeWorld {
  func perform(_ action: ScopeAction, _ subject: ScopeInteractor?) {
    switch action {
    case .attachNew: if let parent = router(subject), let child = newRouter() { parent.attachChild(child) }
    case .attachHeld: attachHeld(subject)
    case .detach: detach(subject)
    case .detachSubject: detachSubject(subject)
    case .holdOrRelease: holdOrRelease(subject)
    case .deactivateByHand: interactor(subject)?.deactivate()
    case .activateByHand: if activatesByHand { activateByHand(subject) }
    case .load: router(subject)?.load()
    case .launch: if trees.count < 4, let root = newRouter() { launch(root) }
    case .relaunch: relaunch()
    case .endTree: anyTree?.tree.end()
    case .endOwnTree: if random.below(2) == 0 { interactor(subject)?.endTree() } else { router(subject)?.endTree() }
    case .dropTree: dropTree()
    case .shutDown: shutDownInside(subject)
    case .snapshot: _ = anyTree?.tree.snapshot()
    case .save: _ = anyTree?.tree.save()
    case .setNeedsSave: interactor(subject)?.setNeedsSave()
    case .checkpoint: checkpoint(subject)
    case .fail: interactor(subject)?.fail(ScopeLedger.PassedOn())
    case .resume: resumeOne()
    case .advance: clock.advance(by: .seconds(random.below(8)))
    case .outside: outside?()
    default: performOnContainers(action, subject)
    }
  }

  private var anyTree: ScopeTree? { trees.isEmpty ? nil : trees[random.below(trees.count)] }

  private func attachHeld(_ subject: ScopeInteractor?) {
    guard !held.isEmpty, let parent = router(subject) else { return }
    let child = held[random.below(held.count)]
    if course == .correct {
      // Everything above an active router is active. An inactive one may be below a RIB that a stack covers.
      let mayBeAbove = !parent.interactor.isActive && (child === parent || !child.children.isEmpty)
      if mayBeAbove || child.parentNode != nil || child.interactor.isActive { return }
    }
    child.forgetBirth()
    parent.attachChild(child)
  }

  private func detach(_ subject: ScopeInteractor?) {
    guard let parent = router(subject) else { return }
    let children = parent.children.compactMap { $0 as? ScopeRouter }
    guard !children.isEmpty else { return }
    let child = children[random.below(children.count)]
    child.forgetBirth()
    parent.detachChild(child)
  }

  private func detachSubject(_ subject: ScopeInteractor?) {
    guard let child = subject?.router ?? router(), let parent = parent(of: child) else { return }
    child.forgetBirth()
    parent.detachChild(child)
  }

  private func activateByHand(_ subject: ScopeInteractor?) {
    // One whose router is gone would never resign.
    guard let interactor = interactor(subject), let router = interactor.router else { return }
    router.forgetBirth()
    interactor.activate()
  }

  private func holdOrRelease(_ subject: ScopeInteractor?) {
    if random.below(2) == 0, held.count < 8, let router = router(subject) { return held.append(router) }
    guard !held.isEmpty else { return }
    let released = held.remove(at: random.below(held.count))
    withExtendedLifetime(released) {}
  }

  /// Waits in a task until the tree is saved.
  private func checkpoint(_ subject: ScopeInteractor?) {
    guard let interactor = interactor(subject) else { return }
    let mark = ScopeMark("checkpoint", of: interactor, in: self)
    keep(
      interactor.task(timeout: timeout()) { [self] in
        mark.begin()
        // All that wait for one save have its error.
        do { try await interactor.checkpoint() } catch is ScopeLedger.Injected {}
        mark.checkGoesOn()
        act(.afterSave, interactor)
      }, mark)
  }

  // MARK: Trees

  func launch(_ root: ScopeRouter) {
    let new = ScopeTree(root: root, in: self)
    ledger.trace("launch \(new.name) with \(root.interactor.name)")
    if let home {
      trees.append(new)
      new.note(isLaunched: new.tree.launch(on: home), in: self)
      return
    }
    // Until the task runs, which it may never do.
    new.note(isLaunched: false, in: self)
    hostRoot?.interactor.task { [self] in
      guard budget > 0 else { return }
      let home: (any Actor)? = #isolation
      trees.append(new)
      new.note(isLaunched: home.map { new.tree.launch(on: $0) } ?? false, in: self)
    }
  }

  /// Launches the root of a tree that has ended, and that the walk keeps or drops.
  private func relaunch() {
    guard let old = trees.first(where: { !$0.tree.isActive }) else { return }
    if random.below(2) == 0 { trees.removeAll { $0 === old } }
    launch(old.root)
  }

  private func dropTree() {
    guard trees.count > 1 else { return }
    let dropped = trees.remove(at: random.below(trees.count))
    ledger.trace("drop \(dropped.name)")
    withExtendedLifetime(dropped) {}
  }

  /// Shuts a tree down from one of its own tasks, or from a task of another tree.
  private func shutDownInside(_ subject: ScopeInteractor?) {
    guard random.below(3) == 0, let interactor = interactor(subject), let tree = anyTree else { return }
    let mark = ScopeMark("shutdown", of: interactor, in: self)
    interactor.task { [self] in
      mark.begin()
      insideShutdowns += 1
      await shutDown(tree)
      insideShutdowns -= 1
      act(.taskStep, interactor)
    }
  }

  /// Shuts a tree down, and checks that nothing of it is left.
  nonisolated(nonsending) func shutDown(_ tree: ScopeTree) async {
    ledger.trace("shut down \(tree.name)")
    let report = await tree.tree.shutdown()
    ledger.trace("has shut down \(tree.name)")
    guard !Task.isCancelled else { return }
    ledger.expect(report.unfinishedTasks.isEmpty, "\(tree.name) left work behind: \(report)")
    for events in [tree.handled, tree.subscribed] {
      guard let events else { continue }
      ledger.expect(
        events.unfinishedCount <= insideShutdowns, "\(tree.name) was shut down before its work had ended")
    }
  }
}
