// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import RIBs
import RIBsTesting

extension ScopeEpisode {
  /// How long a walk may take to end, which it does at once unless something is wrong.
  private static let timeout = Duration.seconds(120)

  /// Walks on an actor, while the work that leaves it runs on other threads.
  func runFree(on stage: isolated some ScopeStage) async -> Result {
    let ledger = ScopeLedger(seed: seed, isTracing: isTracing)
    let world = ScopeWorld(ledger, home: stage, door: stage.door)
    stage.world = world
    withMisuseHandler({ _ in }) { world.begin() }
    var turns = 0
    while world.budget > 0, turns < 400 {
      turns += 1
      world.act(.outside)
      if world.random.below(2) == 0 { await Task.yield() }
    }
    let interactor = Interactor()
    let keeper = Tree(root: Router(interactor: interactor), configuration: TreeConfiguration(leakDetection: .off))
    ledger.expect(keeper.launch(), "the tree that shuts the others down was not launched")
    var remaining = world.stop()
    for tree in remaining {
      interactor.task {
        await world.shutDown(tree)
        remaining.removeAll { $0 === tree }
      }
    }
    let deadline = ContinuousClock.now + ScopeEpisode.timeout
    while !remaining.isEmpty || !world.hasSettled, ContinuousClock.now < deadline {
      world.clock.advance(by: .seconds(60))
      world.resumeOne()
      await Task.yield()
    }
    for tree in remaining { ledger.fail("\(tree.name) was not shut down: \(tree.tree.unfinishedWork)") }
    remaining = []
    world.check()
    world.clear()
    var result = Result(moments: world.moments, actions: world.actions)
    stage.world = nil
    keeper.end()
    await waitForRelease(ledger)
    result.faults = ledger.faults
    return result
  }

  /// Walks in trees of hosts, which drop and shut down each other.
  func runHosted(count: Int) async throws -> Result {
    let hosts = ScopeHosts(count: count)
    var result = Result()
    let results = try await withThrowingTaskGroup(of: Result.self) { group in
      for index in 0..<count {
        group.addTask { try await ScopeEpisode(seed: seed &+ UInt64(index)).runHost(hosts, at: index) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    for other in results { result.add(other) }
    return result
  }

  /// A long walk in the tree of one host, in which nothing is refused and no error is lost.
  func runLong(steps: Int) async throws -> Result {
    let ledger = ScopeLedger(seed: seed)
    let handled = ScopeEvents("host onEvent", ledger)
    var configuration = configuration(handled, ledger)
    configuration.workContext = .own()
    configuration.onMisuse = { ledger.fail("refused: \($0)") }
    let host = await TreeHost(configuration: configuration) { makeHostRoot(ledger, budget: steps) }
    var result = Result()
    while result.actions.reduce(0, +) < steps {
      result = try await host.perform { root in act(20, in: root) }
      await Task.yield()
    }
    await host.shutdown()
    await finish(&result, handled, ledger)
    result.faults += ledger.lostErrors.map { "no event has shown error \($0)" }
    return result
  }

  /// Acts outside all callbacks.
  private func act(_ count: Int, in root: ScopeRouter) -> Result {
    guard let world = root.world else { return Result() }
    for _ in 0..<count { world.act(.outside, root.interactor) }
    return Result(moments: world.moments, actions: world.actions)
  }

  private func configuration(_ handled: ScopeEvents, _ ledger: ScopeLedger) -> TreeConfiguration {
    TreeConfiguration(
      leakDetection: .off, inspector: TestTree.inspector, workContext: .inherited, onEvent: { handled.note($0) },
      onMisuse: { _ in },
      onFailure: { ledger.didReport($0.error) }, onEnd: { _ in handled.didCallOnEnd() })
  }

  /// The root of the tree of a host, with a world around it.
  private func makeHostRoot(_ ledger: ScopeLedger, budget: Int? = nil) -> ScopeRouter {
    let root = ScopeRouter(ledger)
    let world = ScopeWorld(ledger, on: course, home: nil, door: nil)
    root.isHostRoot = true
    world.hostRoot = root
    // A tree that ends before `didBecomeActive()` of its root does not call `willResignActive()`.
    _ = root.interactor.isActiveStream.skip(1).subscribe(onNext: { [weak root, weak world] isActive in
      if !isActive, let root { world?.endWithHost(root) }
    })
    // Nothing is done with the root before it is launched.
    let budget = budget ?? world.budget
    world.budget = 0
    root.join(world)
    world.budget = budget
    return root
  }

  private func runHost(_ hosts: ScopeHosts, at index: Int) async throws -> Result {
    let ledger = ScopeLedger(seed: seed)
    let handled = ScopeEvents("host onEvent", ledger)
    var configuration = configuration(handled, ledger)
    if seed.isMultiple(of: 3) { configuration.saving = ScopeSaving(ledger: ledger) }
    if seed.isMultiple(of: 5) { configuration.aroundWork = { _, start in start() } }
    var host: TreeHost<ScopeRouter>? = await TreeHost(configuration: configuration) {
      let root = makeHostRoot(ledger)
      if let world = root.world { world.outside = { [unowned world] in hosts.end(world.random.below(64)) } }
      return root
    }
    if let host { hosts.put(host, at: index) }
    var result = Result()
    var random = SplitMix(seed)
    var calls: [Task<Void, Never>] = []
    for _ in 0..<60 {
      if let host, random.below(4) == 0 {
        let (plan, isTimed) = (ScopePlan(&random), random.below(4) == 0)
        calls.append(Task { await call(host, plan, isTimed: isTimed, ledger) })
      }
      if !calls.isEmpty, random.below(6) == 0 { calls[random.below(calls.count)].cancel() }
      do {
        result = try await host?.perform { root in act(1, in: root) } ?? result
      } catch is TreeEnded { break } catch is TreeFailure { break }
      await Task.yield()
    }
    // Half of them are dropped, and not shut down.
    if seed.isMultiple(of: 2) {
      let report = await host?.shutdown()
      ledger.expect(report?.unfinishedTasks.isEmpty ?? true, "a host left work behind: \(report.map { "\($0)" } ?? "")")
    }
    // A call holds its host.
    for call in calls { call.cancel() }
    for call in calls { await call.value }
    host = nil
    hosts.end(index + hosts.count)
    await finish(&result, handled, ledger)
    return result
  }

  /// Waits for the end of all that a host has left behind, and checks it.
  private func finish(_ result: inout Result, _ handled: ScopeEvents, _ ledger: ScopeLedger) async {
    await waitForRelease(ledger)
    // Cancelled work off the tree holds nothing of it, and ends when its operation returns.
    let deadline = ContinuousClock.now + ScopeEpisode.timeout
    while handled.unfinishedCount > 0, ContinuousClock.now < deadline { await Task.yield() }
    handled.check("when its host was gone")
    handled.checkOnEnd()
    ledger.checkErrors()
    result.faults = ledger.faults
  }

  /// Calls a tree asynchronously, within its root or a RIB below it.
  private func call(_ host: TreeHost<ScopeRouter>, _ plan: ScopePlan, isTimed: Bool, _ ledger: ScopeLedger) async {
    let timeout: Duration? = isTimed ? .milliseconds(1) : nil
    do {
      if plan.fails {
        try await host.perform(timeout: timeout) { root in try await root.world?.call(plan, of: root.interactor) }
      } else {
        try await host.perform(within: { $0.world?.interactor() }, timeout: timeout) { interactor in
          try await interactor.router?.world?.call(plan, of: interactor)
        }
      }
    } catch is TreeEnded {
    } catch is TreeFailure {
    } catch is BoundWork.TimedOut {
      ledger.expect(isTimed, "a call without a timeout has timed out")
    } catch is CancellationError {
      // Cancelled by the walk, or by an end of the RIB.
    } catch let error as ScopeLedger.Injected {
      ledger.didReport(error)
    } catch {
      ledger.fail("a call fails with \(error)")
    }
  }

  /// What was captured by work that leaves a tree is released elsewhere, soon.
  private nonisolated(nonsending) func waitForRelease(_ ledger: ScopeLedger) async {
    let deadline = ContinuousClock.now + ScopeEpisode.timeout
    while ledger.living > 0, ContinuousClock.now < deadline { await Task.yield() }
    ledger.expect(ledger.living == 0, "\(ledger.living) objects are not released: \(ledger.livingKinds)")
  }
}
