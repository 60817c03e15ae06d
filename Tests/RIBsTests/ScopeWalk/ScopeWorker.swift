// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import RIBs

/// A worker whose callbacks act, and that knows which run it is in.
final class ScopeWorker: Worker, ScopeOwner {
  private let world: ScopeWorld
  private let token: ScopeLedger.Token
  private let number: Int
  private var isBetweenCallbacks = false
  private var runs = 0
  weak var subject: ScopeInteractor?
  let replacements: [String: Int] = [:]

  init(in world: ScopeWorld) {
    self.world = world
    number = world.ledger.nextNumber()
    token = ScopeLedger.Token("worker", world.ledger)
  }

  deinit { world.act(.workerDeinit) }

  var name: String { "w\(number)" }
  var scope: Int { isBetweenCallbacks ? runs : runs + 1 }
  func isOpen(_ scope: Int) -> Bool { isRunning && scope == self.scope }

  /// Outside all callbacks, it runs as long as it is started on something active.
  func check() {
    let isDue = isStarted && subject?.isActive == true
    world.ledger.expect(isRunning == isDue, "\(name) runs: \(isRunning), but should: \(isDue)")
    world.ledger.expect(isRunning == isBetweenCallbacks, "\(name) runs: \(isRunning), but had other callbacks")
  }

  override func didStart(_ interactorScope: any InteractorScope) {
    super.didStart(interactorScope)
    world.ledger.trace("\(name) didStart")
    world.ledger.expect(isRunning, "\(name) does not run in didStart")
    world.ledger.expect(interactorScope.isActive, "\(name) starts in an inactive scope")
    world.ledger.expect(!isBetweenCallbacks, "\(name) started twice")
    isBetweenCallbacks = true
    runs += 1
    if world.random.below(2) == 0 { world.startTask(of: self) }
    world.act(.didStart, subject)
  }

  override func didStop() {
    super.didStop()
    world.ledger.trace("\(name) didStop")
    world.ledger.expect(isBetweenCallbacks, "\(name) stopped without having started")
    isBetweenCallbacks = false
    world.act(.didStop, subject)
  }
}
