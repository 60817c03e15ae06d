// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import RIBs
import RIBsLists

/// A model of a list of the walk.
struct ScopeModel: Identifiable, Equatable, Codable {
  let id: Int
  let version: Int
}

/// A router whose callbacks act, with a container of each kind.
final class ScopeRouter: Router<ScopeInteractor>, ModelRouting {
  let ledger: ScopeLedger
  private(set) var world: ScopeWorld?
  var slot: ChildSlot<Int>?
  var stack: ChildStack<Int>?
  var list: ChildList<ScopeModel>?
  /// The work that has built this, until it was attached or taken elsewhere.
  var birth: ScopeMark?
  /// Whether the world ends with this.
  var isHostRoot = false
  /// Where the world keeps this.
  var place = 0
  private let token: ScopeLedger.Token
  private let number: Int

  init(_ ledger: ScopeLedger) {
    self.ledger = ledger
    token = ScopeLedger.Token("router", ledger)
    let interactor = ScopeInteractor(ledger)
    number = interactor.number
    super.init(interactor: interactor)
    interactor.router = self
  }

  func join(_ world: ScopeWorld) {
    self.world = world
    interactor.join(world)
    world.add(self)
    guard world.random.below(4) == 0 else { return }
    _ = lifecycle.subscribe(onNext: { [unowned world] _ in world.act(.lifecycle) })
  }

  deinit {
    ledger.trace("r\(number) deinit")
    world?.remove(self)
    world?.act(.routerDeinit)
    if isHostRoot { world?.clear() }
  }

  override func didLoad() {
    super.didLoad()
    world?.act(.didLoad, interactor)
  }

  override var savedChildren: [SavedChildren] {
    world?.act(.savedChildren, interactor)
    return [slot?.saved(as: "slot"), stack?.saved(as: "stack"), list?.saved(as: "list")].compactMap { $0 }
  }

  func didUpdate(to model: ScopeModel, from previous: ScopeModel) { world?.act(.didUpdate, interactor) }

  func nearnessDidChange(to nearness: Nearness, from previous: Nearness) { world?.act(.nearness, interactor) }

  /// The mark is released when the access is over, as it acts.
  func forgetBirth() {
    let previous = birth
    birth = nil
    withExtendedLifetime(previous) {}
  }

  /// A child that was built by bound work becomes active in the scope of that work only.
  func checkBirth() {
    guard let birth else { return }
    ledger.expect(birth.isInScope, "\(interactor.name) became active although the work that built it has ended")
    forgetBirth()
  }
}
