// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import RIBs

/// Actions on workflows.
extension ScopeWorld {
  func performWorkflows(_ action: ScopeAction, _ interactor: ScopeInteractor) {
    switch action {
    case .workflow: startWorkflow(with: interactor)
    case .workflowInTask: runWorkflow(in: interactor)
    case .disposeWorkflow: disposeWorkflow { _ in random.below(4) == 0 }
    case .commitLater: if !laterCommits.isEmpty { laterCommits.remove(at: random.below(laterCommits.count))() }
    default: break
    }
  }

  /// A workflow of one to three steps, which may fork, and handle errors.
  private func makeWorkflow() -> (ScopeWorkflow, ScopeWorkflow.Run, Step<ScopeInteractor, ScopeInteractor, Int>) {
    let run = ScopeWorkflow.Run(self)
    let timeout: Duration? = course == .correct || random.below(2) == 0 ? nil : .seconds(1 + random.below(5))
    let workflow = ScopeWorkflow(run, timeout: timeout)
    let (plan, next) = (ScopePlan(&random), nextItem())
    var step = workflow.onStep(timeout: self.timeout()) { item in try await run.step(item, plan, next) }
    for _ in 0..<random.below(3) {
      let (plan, next) = (ScopePlan(&random), nextItem())
      if random.below(3) == 0 {
        step = step.onError { [self] _ in
          ledger.expect(!run.isDisposed, "a handler of workflow \(run.number) is called after it was disposed of")
          act(.workflowError)
          if random.below(4) == 0 { disposeWorkflow { $0 === run } }
        }
      }
      if random.below(3) == 0 { forkOff(step, run) }
      if random.below(2) == 0 {
        step = step.onStep(timeout: self.timeout()) { item, _ in try await run.step(item, plan, next) }
      } else {
        step = step.onStep(timeout: self.timeout()) { [run, plan] item, _ in try await run.step(item, plan, next) }
      }
    }
    return (workflow, run, step)
  }

  private func forkOff(_ step: Step<ScopeInteractor, ScopeInteractor, Int>, _ run: ScopeWorkflow.Run) {
    let (plan, next) = (ScopePlan(&random), nextItem())
    let fork = step.fork().onStep(timeout: timeout()) { [plan] item, _ in try await run.step(item, plan, next) }
    if random.below(2) == 0 { fork.commit() } else if laterCommits.count < 6 { laterCommits.append { fork.commit() } }
  }

  private func nextItem() -> ScopeInteractor? { random.below(2) == 0 ? router()?.interactor : nil }

  private func startWorkflow(with item: ScopeInteractor) {
    let (workflow, run, step) = makeWorkflow()
    step.commit()
    let disposable = workflow.subscribe(item)
    ledger.trace("workflow \(run.number) with \(item.name)")
    switch random.below(4) {
    case 0: disposable.disposeOnDeactivate(interactor: item)
    case 1: break
    default: workflows.append((disposable, run))
    }
  }

  private func runWorkflow(in interactor: ScopeInteractor) {
    let (workflow, run, step) = makeWorkflow()
    let mark = ScopeMark("workflow task", of: interactor, in: self)
    let item = random.below(2) == 0 ? interactor : self.interactor(interactor) ?? interactor
    let waitsForValue = random.below(2) == 0
    interactor.task { [self] in
      mark.begin()
      if waitsForValue {
        _ = try await step.run(item)
      } else {
        step.commit()
        try await workflow.run(item)
      }
      ledger.expect(mark.isCurrent || Task.isCancelled, "a task that runs workflow \(run.number) was not cancelled")
      act(.taskStep, interactor)
    }
  }

  /// Disposes of the first workflow for which the condition holds.
  private func disposeWorkflow(where condition: (ScopeWorkflow.Run) -> Bool) {
    guard let index = workflows.firstIndex(where: { condition($0.run) }) else { return }
    let (disposable, run) = workflows.remove(at: index)
    ledger.trace("dispose of workflow \(run.number)")
    run.isDisposed = true
    disposable.dispose()
  }
}
