// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import RIBs
import RIBsLists

/// Actions on bound work, workers, and subscriptions.
extension ScopeWorld {
  func performWork(_ action: ScopeAction, _ subject: ScopeInteractor?) {
    guard let interactor = interactor(subject) else { return }
    switch action {
    case .task: startTask(of: interactor)
    case .namedTask: startNamedTask(of: interactor)
    case .run: startRun(of: interactor)
    case .prepare: if let router = interactor.router { prepareChild(of: router) }
    case .cancelHandle: cancelHandle()
    case .cancelKey: cancelKey(of: interactor)
    case .slices: if let router = interactor.router { attachSlices(to: router) }
    case .worker: startWorker(on: interactor)
    case .stopWorker: if !workers.isEmpty { workers[random.below(workers.count)].stop() }
    case .subscribe: subscribe(interactor)
    case .accept: accept()
    case .dispose: disposeOne()
    case .disposeOnDeactivate:
      let disposable = ScopeDisposable(.disposal, .captureDeinit, in: self)
      if random.below(3) == 0, let worker = workers.last, course != .correct || worker.isRunning {
        disposable.disposeOnStop(worker)
      } else {
        disposable.disposeOnDeactivate(interactor: interactor)
      }
    case .scoped: _ = interactor.scopedObject
    case .pager: usePager(of: interactor)
    default: performWorkflows(action, interactor)
    }
  }

  // MARK: Tasks

  private func startTask(of interactor: ScopeInteractor) {
    let mark = ScopeMark("task", of: interactor, in: self)
    let plan = ScopePlan(&random)
    let handle =
      switch random.below(3) {
      case 0: interactor.task(timeout: timeout()) { try await mark.run(plan) }
      case 1: interactor.task { [mark, plan] in try await mark.run(plan) }
      default:
        interactor.task(timeout: timeout()) { [weak interactor] in
          try await mark.run(plan)
          withExtendedLifetime(interactor) {}
        }
      }
    keep(handle, mark)
  }

  /// The timeout of some of the work.
  func timeout() -> Duration? {
    course != .correct && random.below(3) == 0 ? .seconds(random.below(6)) : nil
  }

  /// Keeps the handle of some of the work.
  func keep(_ handle: BoundWork.Handle, _ mark: ScopeMark) {
    if handle.isRunning, handles.count < 12, random.below(2) == 0 { handles.append((handle, mark.cancellation)) }
  }

  /// A call from outside. It ends when it is cancelled, because it holds the host.
  nonisolated(nonsending) func call(_ plan: ScopePlan, of interactor: ScopeInteractor) async throws {
    let mark = ScopeMark("call", of: interactor, in: self)
    try await mark.run(plan.withoutStubbornness)
  }

  private func cancelHandle() {
    guard !handles.isEmpty else { return }
    let (handle, cancellation) = handles.remove(at: random.below(handles.count))
    // The handler of work off the tree may be running, which nothing cancels any more.
    cancellation.isRequested = handle.isRunning
    handle.cancel()
  }

  private func cancelKey(of interactor: ScopeInteractor) {
    let key = "\(random.below(2))"
    // Callbacks may start work with the key meanwhile.
    interactor.didReplace(key, before: ledger.nextNumber(), in: interactor.scope)
    interactor.cancel(key)
  }

  func startTask(of worker: ScopeWorker) {
    let mark = ScopeMark("task", of: worker, in: self)
    let plan = ScopePlan(&random)
    if random.below(2) == 0 {
      keep(worker.task(timeout: timeout()) { try await mark.run(plan) }, mark)
    } else {
      keep(worker.task("work", overlap: overlap()) { [mark] in try await mark.run(plan) }, mark)
    }
  }

  private func overlap() -> BoundWork.OverlapPolicy {
    [.ignoreWhileRunning, .cancelPrevious, .enqueue, .concurrent][random.below(4)]
  }

  private func startNamedTask(of interactor: ScopeInteractor) {
    let key = "\(random.below(2))"
    let overlap = overlap()
    let mark = ScopeMark("\(overlap) task", of: interactor, key: key, in: self)
    let plan = ScopePlan(&random)
    let scope = interactor.scope
    let admission =
      if random.below(2) == 0 {
        interactor.task(key, overlap: overlap, timeout: timeout()) { try await mark.run(plan) }
      } else {
        interactor.task(key, overlap: overlap) { [mark] in try await mark.run(plan) }
      }
    check(admission.start, overlap)
    if overlap == .cancelPrevious, admission.start != .inactive {
      interactor.didReplace(key, before: mark.number, in: scope)
    }
    keep(admission, mark)
  }

  private func check(_ admission: BoundWork.Start, _ overlap: BoundWork.OverlapPolicy) {
    let expected: [BoundWork.Start] =
      switch overlap {
      case .ignoreWhileRunning: [.started, .ignored, .inactive]
      case .cancelPrevious: [.started, .replaced, .inactive]
      case .enqueue: [.started, .queued, .inactive]
      case .concurrent: [.started, .inactive]
      }
    ledger.expect(expected.contains(admission), "\(overlap) became \(admission)")
  }

  private func startRun(of interactor: ScopeInteractor) {
    let fails = random.below(6) == 0
    let yields = random.below(3)
    let operation: @Sendable () async throws -> Int = { [ledger] in
      for _ in 0..<yields { await ledger.leave() }
      if fails { throw ledger.inject() }
      return yields
    }
    guard random.below(3) > 0 else {
      let mark = ScopeMark("run", of: interactor, in: self)
      keep(
        interactor.run(
          timeout: timeout(), operation, then: { _ in mark.deliver(.handler) }, onError: errorHandler(mark)), mark)
      return
    }
    let key = "\(random.below(2))"
    let overlap = overlap()
    let mark = ScopeMark("\(overlap) run", of: interactor, key: key, in: self)
    let scope = interactor.scope
    let admission = interactor.run(
      key, overlap: overlap, timeout: timeout(), operation, then: { _ in mark.deliver(.handler) },
      onError: errorHandler(mark))
    check(admission.start, overlap)
    if overlap == .cancelPrevious, admission.start != .inactive {
      interactor.didReplace(key, before: mark.number, in: scope)
    }
    keep(admission, mark)
  }

  /// Receives the errors of some of the work.
  private func errorHandler(_ mark: ScopeMark) -> ((any Error) -> Void)? {
    guard random.below(2) == 0 else { return nil }
    return { [ledger] error in
      ledger.didReport(error)
      mark.deliver(.errorHandler)
    }
  }

  // MARK: Children

  private func prepareChild(of router: ScopeRouter) {
    guard routerCount < ScopeWorld.mostRouters else { return }
    let mark = ScopeMark("prepare", of: router.interactor, in: self)
    let fails = random.below(6) == 0
    let handle = router.attach(preparing: { [ledger] in
      await ledger.leave()
      if fails { throw ledger.inject() }
      return ScopeRouter(ledger)
    }) { [self] child in
      child.birth = mark
      if random.below(4) == 0 { held.append(child) }
      mark.deliver(.connect)
      child.join(self)
    }
    keep(handle, mark)
  }

  private func attachSlices(to router: ScopeRouter) {
    guard routerCount < ScopeWorld.mostRouters else { return }
    let mark = ScopeMark("slices", of: router.interactor, in: self)
    let handle = router.attachChildren(
      for: 0..<(1 + random.below(4)), inSlicesOf: random.below(2) == 0 ? .zero : .seconds(1)
    ) {
      [self] _ -> ScopeRouter in
      let child = ScopeRouter(ledger)
      child.birth = mark
      mark.deliver(.slice)
      child.join(self)
      return child
    } finished: {
      mark.deliver(.finished)
    }
    keep(handle, mark)
  }

  // MARK: Workers, subscriptions, objects

  private func startWorker(on interactor: ScopeInteractor) {
    if workers.count < 6, random.below(2) == 0 { workers.append(ScopeWorker(in: self)) }
    guard !workers.isEmpty else { return }
    let worker = workers[random.below(workers.count)]
    switch random.below(6) {
    case 0: worker.stop()
    case 1: workers.removeAll { $0 === worker }
    default: break
    }
    if course == .correct, worker.subject !== interactor { worker.stop() }
    if !worker.isStarted { worker.subject = interactor }
    worker.start(interactor)
  }

  private func subscribe(_ interactor: ScopeInteractor) {
    let mark = ScopeMark("value", of: interactor, in: self)
    let subscription =
      switch random.below(3) {
      case 0: relay.subscribe(onNext: { _ in mark.deliver(.value) })
      case 1: relay.confineTo(interactor).subscribe(onNext: { _ in mark.deliver(.value) })
      default:
        state.asObservable().map { $0 / 2 }.distinctUntilChanged().skip(1).subscribe(onNext: { _ in mark.deliver(.value)
        })
      }
    subscription.disposeOnDeactivate(interactor: interactor)
    if random.below(3) == 0 { disposables.append(subscription) }
  }

  private func accept() {
    if random.below(2) == 0 { relay.accept(random.below(10)) } else { state.accept(random.below(10)) }
  }

  private func disposeOne() {
    guard !disposables.isEmpty else { return }
    disposables.remove(at: random.below(disposables.count)).dispose()
  }

  private func usePager(of interactor: ScopeInteractor) {
    guard interactor.isActive, let pager = interactor.pager else { return }
    switch random.below(6) {
    case 0: pager.reload()
    case 1: pager.dispose()
    case 2:
      let mark = ScopeMark("pager state", of: interactor, in: self)
      pager.state.asObservable().subscribe(onNext: { [self] _ in act(.pagerState, interactor) })
        .disposeOnDeactivate(interactor: interactor)
      withExtendedLifetime(mark) {}
    case 3: pager.setWindow(0..<random.below(5), towards: .tail)
    default: pager.loadMore()
    }
  }
}
