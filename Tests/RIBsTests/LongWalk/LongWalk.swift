// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import RIBs

/// The root of a tree in which anything that can be asked for is asked for, at random.
final class LongWalk: Router<WalkInteractor> {
  private let ledger: ScopeLedger
  private var random: SplitMix
  /// All routers that are there, attached or not.
  private var routers: [WalkRouter] = []
  /// The parent of each that is attached.
  private var parents: [Parent?] = []
  private let relay = PublishRelay<Int>()
  private var started: [any Disposable] = []

  private enum Parent: Equatable {
    case root
    case router(Int)
  }

  init(_ ledger: ScopeLedger) {
    self.ledger = ledger
    random = SplitMix(ledger.seed)
    super.init(interactor: WalkInteractor(ledger))
  }

  private func number(below limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }

  /// Does so many things.
  func step(_ count: Int) { for _ in 0..<count { step() } }

  private func step() {
    switch number(below: 20) {
    case 0...3: attach()
    case 4...6: detach()
    case 7: replace()
    case 8...9: startTask()
    case 10...12: startNamedTask()
    case 13: startRun()
    case 14: startWorker()
    case 15: any().workers[number(below: 2)].stop()
    case 16: startWorkflow()
    case 17: subscribe()
    case 18: relay.accept(number(below: 100))
    default: if !started.isEmpty { started.remove(at: number(below: started.count)).dispose() }
    }
  }

  /// One of the interactors that are there.
  private func any() -> WalkInteractor {
    routers.isEmpty ? interactor : routers[number(below: routers.count)].interactor
  }

  /// One of those that are active.
  private func active() -> WalkInteractor {
    let one = any()
    return one.isActive ? one : interactor
  }

  // MARK: The tree

  private func attach() {
    if routers.count < 24 {
      routers.append(WalkRouter(ledger))
      parents.append(nil)
    }
    let child = number(below: routers.count)
    guard parents[child] == nil else { return }
    // Below itself it can't be attached.
    let number = number(below: routers.count + 1)
    let parent: Parent = number == routers.count ? .root : .router(number)
    var above: Parent? = parent
    while case .router(let one) = above {
      if one == child { return }
      above = parents[one]
    }
    router(parent).attachChild(routers[child])
    parents[child] = parent
  }

  private func router(_ parent: Parent) -> RouterNode {
    switch parent {
    case .root: self
    case .router(let index): routers[index]
    }
  }

  private func detach() {
    guard !routers.isEmpty else { return }
    let child = number(below: routers.count)
    guard let parent = parents[child] else { return }
    router(parent).detachChild(routers[child])
    parents[child] = nil
  }

  /// Releases a router that is not attached and has no children.
  private func replace() {
    guard !routers.isEmpty else { return }
    let index = number(below: routers.count)
    guard parents[index] == nil, !parents.contains(.router(index)) else { return }
    let old = routers[index]
    routers[index] = WalkRouter(ledger)
    withExtendedLifetime(old) {}
  }

  // MARK: Work

  private func work(_ name: String, of interactor: WalkInteractor) -> () throws -> Void {
    let activation = interactor.activation
    let token = ScopeLedger.Token(name, ledger)
    let fails = number(below: 10) == 0
    return { [ledger] in
      token.touch()
      if fails { throw ledger.inject() }
      if !Task.isCancelled { interactor.receive(name, from: activation) }
    }
  }

  private func startTask() {
    let interactor = active()
    let work = work("task", of: interactor)
    let yields = number(below: 3)
    interactor.task {
      for _ in 0..<yields { await Task.yield() }
      try work()
    }
  }

  private func startNamedTask() {
    let interactor = active()
    let work = work("named task", of: interactor)
    let overlap: BoundWork.OverlapPolicy = [.ignoreWhileRunning, .cancelPrevious, .enqueue, .concurrent][
      number(below: 4)]
    interactor.task("\(overlap)", overlap: overlap) {
      await Task.yield()
      try work()
    }
  }

  private func startRun() {
    let interactor = active()
    let activation = interactor.activation
    let token = ScopeLedger.Token("run", ledger)
    let fails = number(below: 10) == 0
    interactor.run("run", overlap: number(below: 2) == 0 ? .cancelPrevious : .enqueue) { [ledger] in
      if fails { throw ledger.inject() }
      return 1
    } then: { _ in
      token.touch()
      interactor.receive("run", from: activation)
    }
  }

  private func startWorker() {
    let one = any()
    let worker = one.workers[number(below: 2)]
    worker.start(one)
    ledger.expect(worker.isRunning == one.isActive, "a worker that was started does not run as its interactor does")
  }

  private func startWorkflow() {
    let (first, second) = (active(), any())
    let token = ScopeLedger.Token("workflow", ledger)
    let fails = number(below: 5) == 0
    let workflow = Workflow<WalkInteractor>(timeout: nil)
    let step = workflow.onStep { [ledger] item in
      token.touch()
      ledger.expect(item.isActive || Task.isCancelled, "a step works on what is not active")
      await Task.yield()
      return (second, 1)
    }
    step.onStep { [ledger] item, value in
      token.touch()
      ledger.expect(item.isActive || Task.isCancelled, "a second step works on what is not active")
      if fails { throw ledger.inject() }
      ledger.count("workflow")
      return (item, value)
    }.commit()
    if number(below: 2) == 0 {
      step.fork().onStep { item, value in (item, value) }.commit()
    }
    let run = workflow.subscribe(first)
    if number(below: 2) == 0 { started.append(run) } else { run.disposeOnDeactivate(interactor: first) }
  }

  private func subscribe() {
    let interactor = active()
    let activation = interactor.activation
    let token = ScopeLedger.Token("subscription", ledger)
    let subscription = relay.subscribe(onNext: { _ in
      token.touch()
      interactor.receive("value", from: activation)
    })
    started.append(subscription.disposeOnDeactivate(interactor: interactor))
  }

  /// Releases everything that this holds besides the tree.
  func releaseAll() {
    let held = (started, routers)
    (started, routers) = ([], [])
    withExtendedLifetime(held) {}
  }
}
