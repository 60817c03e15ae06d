// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import RIBs

/// What bound work belongs to: an interactor for one activation, or a worker for one run.
protocol ScopeOwner: AnyObject {
  var name: String { get }
  /// Identifies this activation or run.
  var scope: Int { get }
  /// Whether an activation or run has not ended.
  func isOpen(_ scope: Int) -> Bool
  /// For each key, the number of the work that took the place of all work with lower numbers.
  var replacements: [String: Int] { get }
  var subject: ScopeInteractor? { get }
}

/// A piece of work, or a callback, with the scope that it belongs to. It is captured by the closures of the work, and does
/// something when it is released.
final class ScopeMark {
  let kind: String
  private let owner: any ScopeOwner
  private let scope: Int
  private let key: String?
  let number: Int
  private let world: ScopeWorld
  private let token: ScopeLedger.Token
  private var hasBegun = false
  /// Whether the walk has cancelled the work.
  let cancellation = ScopeCancellation()

  init(_ kind: String, of owner: any ScopeOwner, key: String? = nil, in world: ScopeWorld) {
    self.kind = kind
    self.owner = owner
    self.key = key
    self.world = world
    scope = owner.scope
    number = world.ledger.nextNumber()
    token = ScopeLedger.Token(kind, world.ledger)
  }

  deinit { world.didRelease(self) }

  var isInScope: Bool { owner.isOpen(scope) }

  var isCurrent: Bool {
    !cancellation.isRequested && isInScope && (key.flatMap { owner.replacements[$0] } ?? 0) <= number
  }

  private var text: String { "\(kind) \(number) of \(owner.name)" }

  /// The first step of the work.
  func begin() {
    world.ledger.trace("begin \(text)")
    world.ledger.expect(world.isHome, "\(text) begins off its tree")
    world.ledger.expect(!hasBegun, "\(text) begins twice")
    hasBegun = true
    world.ledger.expect(isCurrent, "\(text) begins after its scope has ended")
    world.ledger.expect(!Task.isCancelled, "\(text) begins cancelled")
  }

  /// The work continues after a suspension.
  func checkGoesOn() {
    world.ledger.trace("resume \(text)")
    world.ledger.expect(world.isHome, "\(text) continues off its tree")
    world.ledger.expect(isCurrent || Task.isCancelled, "\(text) was not cancelled when its scope ended")
  }

  /// Something is delivered to the scope.
  func deliver(_ moment: ScopeMoment) {
    world.ledger.trace("deliver \(text)")
    world.ledger.expect(world.isHome, "\(text) is delivered off its tree")
    world.ledger.expect(isCurrent, "\(text) is delivered after its scope has ended")
    world.act(moment, owner.subject)
  }

  /// The work of a task.
  nonisolated(nonsending) func run(_ plan: ScopePlan, in moment: ScopeMoment = .taskStep) async throws {
    begin()
    world.act(moment, owner.subject)
    for pause in plan.pauses {
      await world.pause(pause)
      checkGoesOn()
      world.act(moment, owner.subject)
    }
    if plan.fails { throw world.ledger.inject() }
  }
}

/// Whether the walk has cancelled a piece of work by its handle.
final class ScopeCancellation {
  var isRequested = false
}

/// What a piece of work does.
struct ScopePlan: Sendable {
  enum Pause: CaseIterable {
    case yield
    /// Leaves the tree and comes back.
    case leave
    /// Waits until the walk continues, or the task is cancelled.
    case signal
    /// Waits until the walk continues, whether or not the task is cancelled.
    case stubborn
    case sleep
  }

  var pauses: [Pause] = []
  var fails = false

  /// The same, ending when it is cancelled.
  var withoutStubbornness: ScopePlan {
    var plan = self
    plan.pauses.removeAll { $0 == .stubborn }
    return plan
  }

  init(_ random: inout SplitMix) {
    for _ in 0..<random.below(3) { pauses.append(Pause.allCases[random.below(Pause.allCases.count)]) }
    fails = random.below(8) == 0
  }
}
