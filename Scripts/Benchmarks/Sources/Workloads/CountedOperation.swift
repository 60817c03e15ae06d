// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import RIBs
import TaxiSimulation

/// A repeatable operation whose cost is counted.
package enum CountedOperation: String, CaseIterable, Sendable {
  case attach, tree, relay, perform, task, run
  case attachLookingForLeaks = "attach-looking-for-leaks"
  case attachObserved = "attach-observed"
  /// With a handler of a kind of events that does not come.
  case attachObservedForOneKind = "attach-observed-for-one-kind"
  case relayToTen = "relay-to-ten"
  case relayThroughMap = "relay-through-map"
  case behaviorRelay = "behavior-relay"
  case subscribe
  /// A worker's start and stop in an active RIB.
  case worker
  /// An update of a hundred live children, with ten deletions, insertions and moves.
  case liveList = "live-list"
  /// A taxi order in its own tree, from its beginning to its end.
  case order
  case performAsynchronously = "perform-asynchronously"
  /// A task that is awaited before the next one is started.
  case taskAlone = "task-alone"
  /// A workflow of five steps that is awaited before it is run again.
  case workflow
  /// A session of seven RIBs with a task, from its beginning to its end with a timeout.
  case session

  /// The number of repetitions, large enough to outweigh the startup of the process.
  package var repetitions: Int {
    switch self {
    case .tree: 20
    // The cheapest by far: the startup of two processes differs by thousands of instructions.
    case .perform: 20_000
    case .performAsynchronously, .task, .taskAlone, .run, .workflow: 2_000
    case .session, .liveList: 200
    case .order: 50
    default: 5_000
    }
  }

  /// The allowed excess over the budget. Jobs that start on a tree, and even more those that return to it, run
  /// individually or in batches depending on timing; all other work is deterministic.
  package var tolerance: (instructions: Double, allocations: Double) {
    switch self {
    case .run: (instructions: 0.35, allocations: 2.5)
    case .task, .taskAlone, .workflow, .performAsynchronously: (instructions: 0.12, allocations: 0.5)
    case .session: (instructions: 0.12, allocations: 5)
    case .order: (instructions: 0.12, allocations: 100)
    default: (instructions: 0.05, allocations: 0.5)
    }
  }

  /// Repeats the operation, and waits for it on the main thread, which is the tree's isolation without a host.
  @MainActor
  package func `repeat`(_ count: Int) {
    switch self {
    case .attach: attach(count, TreeConfiguration(leakDetection: .off))
    case .attachLookingForLeaks: attach(count, TreeConfiguration(leakDetection: .after(.seconds(3600))))
    case .attachObserved: attach(count, TreeConfiguration(leakDetection: .off, onEvent: { keep($0.kind) }))
    case .attachObservedForOneKind:
      attach(count, TreeConfiguration(leakDetection: .off, eventKinds: [.failed], onEvent: { keep($0.kind) }))
    case .tree: buildTrees(count)
    case .relay: relay(count, to: 1) { $0 }
    case .relayToTen: relay(count, to: 10) { $0 }
    case .relayThroughMap: relay(count, to: 1) { $0.map { $0 + 1 } }
    case .behaviorRelay: behaviorRelay(count)
    case .subscribe: subscribe(count)
    case .worker: worker(count)
    case .liveList: updateList(count)
    case .perform, .performAsynchronously, .task, .taskAlone, .run, .workflow, .session, .order:
      let ended = DispatchSemaphore(value: 0)
      Task.detached {
        switch self {
        case .session: try await sessions(count)
        case .order: keep(await OrderFootprint(orders: count).peakRIBs)
        default: try await work(count)
        }
        ended.signal()
      }
      ended.wait()
    }
  }

  @MainActor
  private func attach(_ count: Int, _ configuration: TreeConfiguration) {
    let root = RootRouter()
    let tree = Tree(root: root, configuration: configuration)
    tree.launch()
    root.attachAndDetach(count)
    tree.end()
  }

  @MainActor
  private func buildTrees(_ count: Int) {
    let root = RootRouter()
    let tree = Tree(root: root, configuration: TreeConfiguration(leakDetection: .off))
    tree.launch()
    for _ in 0..<count {
      let top = root.buildTree(119)
      root.attachChild(top)
      root.detachChild(top)
    }
    tree.end()
  }

  @MainActor
  private func relay(_ count: Int, to subscribers: Int, through: (Observable<Int>) -> Observable<Int>) {
    let relay = PublishRelay<Int>()
    let bag = DisposeBag()
    var sum = 0
    for _ in 0..<subscribers {
      through(relay.asObservable()).subscribe(onNext: { sum &+= $0 }).disposed(by: bag)
    }
    for value in 0..<count { relay.accept(value) }
    keep(sum)
  }

  @MainActor
  private func behaviorRelay(_ count: Int) {
    let relay = BehaviorRelay(value: 0)
    var sum = 0
    let subscription = relay.subscribe(onNext: { sum &+= $0 })
    for value in 0..<count { relay.accept(value) }
    subscription.dispose()
    keep(sum)
  }

  @MainActor
  private func subscribe(_ count: Int) {
    let relay = PublishRelay<Int>()
    for _ in 0..<count { relay.subscribe(onNext: { _ in }).dispose() }
  }

  @MainActor
  private func worker(_ count: Int) {
    let root = RootRouter()
    let tree = Tree(root: root, configuration: TreeConfiguration(leakDetection: .off))
    tree.launch()
    let worker = CountingWorker()
    for _ in 0..<count {
      worker.start(root.interactor)
      worker.stop()
    }
    keep(worker.starts)
    tree.end()
  }

  @MainActor
  private func updateList(_ count: Int) {
    let root = RowsRouter()
    let tree = Tree(root: root, configuration: TreeConfiguration(leakDetection: .off))
    tree.launch()
    var random = RepeatableNumbers()
    let (old, new) = Lists.mixed(100, using: &random)
    do {
      // Half of the updates go back. An update back has as many changes.
      for update in 0..<count { try root.list.update(update % 2 == 0 ? old : new) }
    } catch {
      fatalError("The items have random identities: \(error)")
    }
    tree.end()
  }

  private func work(_ count: Int) async throws {
    let host = await TreeHost(configuration: TreeConfiguration(leakDetection: .off)) {
      Router(interactor: WorkInteractor())
    }
    if self == .perform {
      for _ in 0..<count { keep(try await host.perform { _ in keep(1) }) }
    } else if self == .performAsynchronously {
      for _ in 0..<count {
        keep(
          try await host.perform { _ in
            await Task.yield()
            return 1
          })
      }
    } else if self == .taskAlone {
      try await host.perform { root in await root.interactor.runTasks(count) }
    } else if self == .workflow {
      try await host.perform { root in try await root.interactor.runWorkflow(count) }
    } else {
      // The last operation signals the end: polling would be counted too.
      let (ended, end) = AsyncStream<Void>.makeStream()
      try await host.perform { root in
        let interactor = root.interactor
        let note = { (value: Int) in
          interactor.done += value
          if interactor.done == count { end.finish() }
        }
        for _ in 0..<count {
          if self == .task { interactor.task { note(1) } } else { interactor.run({ 1 }, then: note) }
        }
      }
      for await _ in ended {}
    }
    await host.shutdown()
  }

  private func sessions(_ count: Int) async throws {
    var hosts: [TreeHost<SessionRouter>] = []
    for _ in 0..<count {
      let host = await TreeHost(configuration: TreeConfiguration(leakDetection: .off)) { SessionRouter() }
      try await host.perform { $0.interactor.task { try await Task.sleep(for: .seconds(3600)) } }
      hosts.append(host)
    }
    for host in hosts { await host.shutdown(timeout: .seconds(30)) }
  }
}
