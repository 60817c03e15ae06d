// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import RIBs

/// A workflow whose hooks act.
final class ScopeWorkflow: Workflow<ScopeInteractor> {
  /// The state that the steps, the handlers and the hooks of a workflow share.
  final class Run {
    let world: ScopeWorld
    let number: Int
    /// Whether the only run of the workflow was disposed of.
    var isDisposed = false
    private let token: ScopeLedger.Token

    init(_ world: ScopeWorld) {
      self.world = world
      number = world.ledger.nextNumber()
      token = ScopeLedger.Token("workflow", world.ledger)
    }

    deinit { world.act(.captureDeinit) }

    func hook(_ name: String) {
      world.ledger.trace("workflow \(number) \(name)")
      world.ledger.expect(world.isHome, "\(name) of workflow \(number) is called off its tree")
      world.ledger.expect(!isDisposed, "\(name) of workflow \(number) is called after it was disposed of")
      world.act(.workflowHook)
    }

    /// A step, which ends with another item.
    nonisolated(nonsending) func step(
      _ item: ScopeInteractor, _ plan: ScopePlan, _ next: ScopeInteractor?
    ) async throws -> (ScopeInteractor, Int)? {
      let ledger = world.ledger
      let scope = item.scope
      ledger.trace("workflow \(number) step on \(item.name)")
      ledger.expect(world.isHome, "a step of workflow \(number) begins off its tree")
      ledger.expect(item.isActive && item.stage == .on, "a step of workflow \(number) begins on inactive \(item.name)")
      ledger.expect(!Task.isCancelled, "a step of workflow \(number) begins cancelled")
      ledger.expect(!isDisposed, "a step of workflow \(number) begins after it was disposed of")
      world.act(.workflowStep, item)
      for pause in plan.pauses {
        await world.pause(pause)
        ledger.trace("workflow \(number) continues on \(item.name)")
        ledger.expect(
          item.isActive && item.scope == scope && !isDisposed || Task.isCancelled,
          "a step of workflow \(number) was not cancelled when \(item.name) resigned")
        world.act(.workflowStep, item)
      }
      if plan.fails { throw ledger.inject() }
      return world.random.below(12) == 0 ? nil : (next ?? item, 1)
    }
  }

  private let run: Run

  init(_ run: Run, timeout: Duration?) {
    self.run = run
    super.init(timeout: timeout)
  }

  override func didComplete() { run.hook("didComplete") }
  override func didReceiveError(_ error: any Error) { run.hook("didReceiveError") }
  override func didFork() { run.world.act(.workflowHook) }
}
