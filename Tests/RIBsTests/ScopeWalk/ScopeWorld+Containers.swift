// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import RIBs
import RIBsLists

/// Actions on containers.
extension ScopeWorld {
  func performOnContainers(_ action: ScopeAction, _ subject: ScopeInteractor?) {
    guard let owner = router(subject) else { return }
    switch action {
    case .makeContainers: makeContainers(of: owner)
    case .setRoute: owner.slot?.route = random.below(4)
    case .clearRoute: owner.slot?.route = nil
    case .pushRoute: owner.stack?.push(random.below(4))
    case .popRoute: owner.stack?.pop()
    case .changeStack: changeStack(of: owner)
    case .updateList: update(owner.list)
    case .moveList: moveModels(of: owner.list)
    case .setWindow:
      let start = random.below(4)
      owner.list?.setWindow(start..<(start + random.below(3)), towards: random.below(2) == 0 ? .head : .tail)
    case .setNeedsUpdate: setNeedsUpdate(of: owner)
    case .dropContainer: dropContainer(of: owner)
    default: performWork(action, subject)
    }
  }

  private func makeContainers(of owner: ScopeRouter) {
    if owner.slot == nil {
      owner.slot = ChildSlot(of: owner, restarts: restarts()) { router, _ in
        router.world?.child(.slotBuilder, router) ?? ScopeRouter(router.ledger)
      }
    }
    if owner.stack == nil {
      owner.stack = ChildStack(of: owner, covered: random.below(2) == 0 ? .kept : .released, restarts: restarts()) {
        router, _ in
        router.world?.child(.stackBuilder, router) ?? ScopeRouter(router.ledger)
      }
    }
    if owner.list == nil {
      owner.list = ChildList(of: owner, restarts: restarts()) { router, _ in
        router.world?.child(.listBuilder, router) ?? ScopeRouter(router.ledger)
      }
    }
  }

  /// Half of the containers restart their children.
  private func restarts() -> Restarts {
    random.below(2) == 0 ? .never : .upTo(2, within: .seconds(20), after: .exponential(to: .seconds(1)))
  }

  /// What the closure of a container returns: a new router, or one that the walk holds.
  private func child(_ moment: ScopeMoment, _ owner: ScopeRouter) -> ScopeRouter {
    act(moment, owner.interactor)
    // The root of the host would be kept by another tree, if its own ends before the container attaches it.
    let others = course == .correct ? [] : held.filter { $0 !== hostRoot }
    if !others.isEmpty, random.below(4) == 0 {
      let child = others[random.below(others.count)]
      child.forgetBirth()
      return child
    }
    let router = ScopeRouter(ledger)
    router.join(self)
    return router
  }

  private func changeStack(of owner: ScopeRouter) {
    let route = random.below(4)
    switch random.below(4) {
    case 0: owner.stack?.pop(to: route)
    case 1: owner.stack?.removeAll()
    case 2: owner.stack?.replace(with: route)
    default: owner.stack?.bringToFront(route)
    }
  }

  private func models() -> [ScopeModel] {
    (0..<5).filter { _ in random.below(2) == 0 }.map { ScopeModel(id: $0, version: random.below(2)) }
      .shuffled(using: &random)
  }

  private func update(_ list: ChildList<ScopeModel>?) {
    let models = models()
    do { try list?.update(models) } catch { ledger.fail("a list with unique models was refused: \(error)") }
  }

  private func moveModels(of list: ChildList<ScopeModel>?) {
    guard let list else { return }
    let models = list.models.shuffled(using: &random)
    do { try list.update(models) } catch { ledger.fail("a list with unique models was refused: \(error)") }
  }

  private func setNeedsUpdate(of owner: ScopeRouter) {
    guard let list = owner.list else { return }
    let mark = ScopeMark("update", of: owner.interactor, in: self)
    let isWork = owner.interactor.isActive && owner.interactor.stage == .on
    list.setNeedsUpdate { [self] in
      if isWork { mark.deliver(.models) } else { act(.models) }
      return models()
    }
  }

  /// Releases a container, with whatever it still shows.
  private func dropContainer(of owner: ScopeRouter) {
    // Released when the access is over.
    let kept = (owner.slot, owner.stack, owner.list)
    switch random.below(3) {
    case 0: owner.slot = nil
    case 1: owner.stack = nil
    default: owner.list = nil
    }
    withExtendedLifetime(kept) {}
  }
}
