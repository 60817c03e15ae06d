// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import RIBs
import RIBsLists

/// An interactor whose callbacks act, and that knows which activation it is in.
final class ScopeInteractor: Interactor, ScopeOwner, Saving {
  /// Where an activation is, as the callbacks tell.
  enum Stage { case off, on, resigning }

  weak var router: ScopeRouter?
  private(set) var stage = Stage.off
  private var activations = 0
  private(set) var replacements: [String: Int] = [:]
  private let ledger: ScopeLedger
  private var world: ScopeWorld?
  let number: Int
  private let token: ScopeLedger.Token

  init(_ ledger: ScopeLedger) {
    self.ledger = ledger
    number = ledger.nextNumber()
    token = ScopeLedger.Token("interactor", ledger)
  }

  func join(_ world: ScopeWorld) {
    self.world = world
    guard world.random.below(3) == 0 else { return }
    _ = isActiveStream.subscribe(onNext: { [weak self, unowned world] _ in world.act(.isActiveStream, self) })
  }

  deinit {
    ledger.trace("\(name) deinit")
    world?.act(.interactorDeinit)
  }

  var name: String { "i\(number)" }
  var subject: ScopeInteractor? { self }

  /// Before `didBecomeActive()`, the scope is that of the activation that has begun.
  var scope: Int { stage == .off ? activations + 1 : activations }

  /// After `willResignActive()`, the scope lasts until all that is bound has been disposed of.
  func isOpen(_ scope: Int) -> Bool { isActive && (scope == self.scope || stage == .off && scope == activations) }

  func didReplace(_ key: String, before number: Int, in scope: Int) {
    guard scope == self.scope else { return }
    replacements[key] = max(replacements[key] ?? 0, number)
  }

  override func didBecomeActive() {
    super.didBecomeActive()
    ledger.trace("\(name) didBecomeActive")
    ledger.expect(isActive, "\(name) is not active in didBecomeActive")
    ledger.expect(stage == .off, "\(name) became active twice")
    activations += 1
    stage = .on
    replacements = [:]
    router?.checkBirth()
    world?.act(.didBecomeActive, self)
  }

  override func willResignActive() {
    super.willResignActive()
    ledger.trace("\(name) willResignActive")
    ledger.expect(isActive, "\(name) is not active in willResignActive")
    ledger.expect(stage == .on, "\(name) resigned without having become active")
    stage = .resigning
    for child in router?.children ?? [] {
      let child = child as? ScopeRouter
      ledger.expect(
        child?.interactor.isActive != true, "\(name) resigned before its child \(child?.interactor.name ?? "")")
      // Attached in time; it becomes active with this.
      child?.forgetBirth()
    }
    world?.act(.willResignActive, self)
    stage = .off
  }

  override func didFail(_ error: any Error, of work: BoundWork) {
    ledger.trace("\(name) didFail \(error)")
    ledger.expect(isActive, "\(name) is not active in didFail")
    ledger.didReport(error)
    // Outside a tree, an error that is passed on is written to standard error.
    if number.isMultiple(of: 2), nodeID != nil { super.didFail(ScopeLedger.PassedOn(), of: work) }
    world?.act(.didFail, self)
  }

  override func childDidFail(_ failure: ChildFailure) {
    ledger.trace("\(name) childDidFail \(failure)")
    ledger.expect(isActive, "\(name) is not active in childDidFail")
    ledger.expect(stage != .resigning, "\(name) is asked about a child although it resigns")
    world?.act(.childDidFail, self)
    if !number.isMultiple(of: 3) { super.childDidFail(failure) }
  }

  override var treeSummary: String? {
    world?.act(.summary, self)
    return name
  }

  /// Code of the program, which a walk lets do more than it should.
  var savedState: Int {
    get {
      ledger.expect(world?.isHome ?? true, "\(name) is saved off its tree")
      world?.act(.savedState, self)
      return number
    }
    set {}
  }

  /// A pager of this activation.
  var pager: Pager<Int>? {
    guard let world else { return nil }
    return scoped {
      let mark = ScopeMark("pager", of: self, in: world)
      return Pager(of: self) { batch in
        world.ledger.expect(mark.isCurrent && !Task.isCancelled, "a page of \(self.name) begins after its scope")
        world.act(.page, self)
        await world.pause(world.pause())
        world.ledger.expect(mark.isCurrent || Task.isCancelled, "a page of \(self.name) was not cancelled")
        switch world.random.below(6) {
        case 0: batch.fail(ScopeLedger.Injected(number: world.ledger.nextNumber()))
        case 1: batch.cancel()
        case 2 where world.course != .correct: break
        default: batch.complete([1, 2], isLast: world.random.below(4) == 0)
        }
      }
    }
  }

  /// An object of this activation.
  var scopedObject: ScopeDisposable? {
    guard let world else { return nil }
    return scoped { ScopeDisposable(.scopedDisposal, .scopedDeinit, in: world) }
  }
}
