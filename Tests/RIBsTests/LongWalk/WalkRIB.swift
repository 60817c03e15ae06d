// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs

/// A RIB of a long walk. It knows which activation it is in, to notice what reaches it from another.
final class WalkInteractor: Interactor {
  let ledger: ScopeLedger
  let workers: [WalkWorker]
  private(set) var activation = 0
  private(set) var isBetweenCallbacks = false
  private let token: ScopeLedger.Token

  init(_ ledger: ScopeLedger) {
    self.ledger = ledger
    token = ScopeLedger.Token("interactor", ledger)
    workers = [WalkWorker(ledger), WalkWorker(ledger)]
  }

  override func didBecomeActive() {
    super.didBecomeActive()
    ledger.expect(!isBetweenCallbacks, "didBecomeActive twice")
    activation += 1
    isBetweenCallbacks = true
  }

  override func willResignActive() {
    super.willResignActive()
    ledger.expect(isBetweenCallbacks, "willResignActive without didBecomeActive")
    isBetweenCallbacks = false
  }

  override func didFail(_ error: any Error, of work: BoundWork) {
    ledger.expect(isActive, "didFail of an inactive interactor")
    ledger.count("didFail")
  }

  /// Notes a fault if something reaches this that belongs to another activation.
  func receive(_ what: String, from activation: Int) {
    ledger.expect(isActive && activation == self.activation, "\(what) came from another activation")
    ledger.count(what)
  }
}

final class WalkWorker: Worker {
  private let ledger: ScopeLedger
  private let token: ScopeLedger.Token
  private var isAtWork = false
  private(set) var runs = 0

  init(_ ledger: ScopeLedger) {
    self.ledger = ledger
    token = ScopeLedger.Token("worker", ledger)
  }

  override func didStart(_ interactorScope: any InteractorScope) {
    super.didStart(interactorScope)
    ledger.expect(!isAtWork && interactorScope.isActive, "a worker begins where it should not")
    isAtWork = true
    runs += 1
    let run = runs
    let token = ScopeLedger.Token("worker task", ledger)
    task {
      await Task.yield()
      token.touch()
      if Task.isCancelled { return }
      self.ledger.expect(self.isRunning && self.runs == run, "the task of a worker is in another run")
      self.ledger.count("worker task")
    }
  }

  override func didStop() {
    super.didStop()
    ledger.expect(isAtWork, "a worker stops that had not begun")
    isAtWork = false
  }
}

final class WalkRouter: Router<WalkInteractor> {
  private let token: ScopeLedger.Token

  init(_ ledger: ScopeLedger) {
    token = ScopeLedger.Token("router", ledger)
    super.init(interactor: WalkInteractor(ledger))
  }
}
