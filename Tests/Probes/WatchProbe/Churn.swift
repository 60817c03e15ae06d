import Foundation
import RIBs
import RIBsInspector
import RIBsLists

/// Does everything that a busy server does with its trees, for 80 seconds: attaches, prepares and detaches children, starts
/// work of every kind, starts and stops workers, subscribes, runs workflows, changes slots and stacks, updates lists, and
/// opens, shuts down and drops hosts, while a client follows all trees.
///
/// Writes the largest memory use of the process between 10 and 20 seconds, and 60 seconds later. Then ends it.
func churn() async throws {
  let inspector = try Inspector.start()
  let follower = try Follower(inspector.socketPath, isReading: true)
  // A dedicated thread: the cooperative thread pool is busy.
  Thread.detachNewThread {
    let (early, late) = recordMemory(from: 10, to: 80)
    print(early, late)
    exit(0)
  }
  let configuration = TreeConfiguration(leakDetection: .after(.milliseconds(100)), inspector: inspector)
  try await withThrowingTaskGroup(of: Void.self) { group in
    for part in 0..<4 {
      group.addTask {
        var round = part
        while true {
          let host = await TreeHost(configuration: configuration) { ChurnRouter(interactor: ChurnInteractor()) }
          for _ in 0..<20 {
            round += 1
            try await host.perform { [round] root in try root.change(round) }
          }
          // Every third host is dropped with its work.
          if (round / 20).isMultiple(of: 3) { continue }
          let report = await host.shutdown()
          guard report.unfinishedTasks.isEmpty else { fatalError("\(report)") }
        }
      }
    }
    try await group.waitForAll()
  }
  follower.leave()
}

/// The largest memory use, in KiB, from the start of a recording for ten seconds, and in its last ten seconds.
private func recordMemory(from start: Double, to end: Double) -> (early: Int, late: Int) {
  var (early, late) = (0, 0)
  let launch = Date()
  while true {
    Thread.sleep(forTimeInterval: 0.05)
    let time = Date().timeIntervalSince(launch)
    if time >= end { return (early, late) }
    if time >= start, time < start + 10 { early = max(early, residentKibibytes) }
    if time >= end - 10 { late = max(late, residentKibibytes) }
  }
}

private struct Ride: Identifiable, Equatable {
  let id: Int
  let cents: Int
}

private final class RideRouter: Router<Interactor>, ModelRouting {
  func didUpdate(to model: Ride, from previous: Ride) {}
}

private final class ChurnWorkflow: Workflow<ChurnInteractor> {
  override init(timeout: Duration? = nil) {
    super.init(timeout: timeout)
    onStep { item in (item, 1) }.onStep { item, value in (item, value + 1) }.commit()
  }
}

/// Starts work and subscribes in each run.
private final class ChurnWorker: Worker {
  private let fares = BehaviorRelay(value: 0)

  override func didStart(_ interactorScope: any InteractorScope) {
    super.didStart(interactorScope)
    task { await Task.yield() }
    // Until the worker stops. A sleep would not do: when it is cancelled, the timer of the system's clocks keeps its memory
    // until the deadline (Swift 6.3).
    task("listen", overlap: .cancelPrevious) {
      let (values, source) = AsyncStream<Int>.makeStream()
      for await _ in values {}
      withExtendedLifetime(source) {}
    }
    run({ 1 }) { self.fares.accept($0) }
    fares.subscribe(onNext: { _ in }).disposeOnStop(self)
  }
}

private final class ChurnInteractor: Interactor {
  private let worker = ChurnWorker()
  let fares = BehaviorRelay(value: 0)
  let rides = PublishRelay<Int>()

  /// Starts work of every kind, and subscribes with every kind of operator.
  func begin(_ round: Int) {
    task { await Task.yield() }
    task("search", overlap: .cancelPrevious) { await Task.yield() }
    task("send", overlap: .enqueue) { await Task.yield() }
    run({ round }) { self.fares.accept($0) }
    run("reload", overlap: .ignoreWhileRunning, { round }) { self.rides.accept($0) }
    fares.asObservable().map { $0 + 1 }.distinctUntilChanged().take(2)
      .subscribe(onNext: { _ in }).disposeOnDeactivate(interactor: self)
    Observable<Int>.combineLatest(fares, rides) { $0 + $1 }.take(1)
      .subscribe(onNext: { _ in }).disposeOnDeactivate(interactor: self)
    rides.flatMapLatest { _ in self.fares }.take(1)
      .subscribe(onNext: { _ in }).disposeOnDeactivate(interactor: self)
    Observable.merge(fares.asObservable(), rides.asObservable()).take(3)
      .subscribe(onNext: { _ in }).disposeOnDeactivate(interactor: self)
    ChurnWorkflow().subscribe(self).disposeOnDeactivate(interactor: self)
    // Restarts the worker every other time.
    if round.isMultiple(of: 2) { worker.stop() }
    worker.start(self)
    ChurnWorker().start(self)
    fares.accept(round)
    rides.accept(round)
  }
}

private final class ChurnChildRouter: Router<ChurnInteractor> {}

private final class ChurnRouter: Router<ChurnInteractor> {
  private lazy var list = ChildList<Ride>(of: self) { _, _ in RideRouter(interactor: Interactor()) }
  private lazy var slot = ChildSlot<Int>(of: self) { _, _ in Router(interactor: ChurnInteractor()) }
  private lazy var stack = ChildStack<Int>(of: self, covered: .released) { _, _ in Router(interactor: ChurnInteractor())
  }
  private lazy var kept = ChildStack<Int>(of: self, covered: .kept) { _, _ in Router(interactor: ChurnInteractor()) }
  private weak var prepared: ChurnChildRouter?

  func change(_ round: Int) throws {
    interactor.begin(round)
    let child = Router(interactor: ChurnInteractor())
    attachChild(child)
    child.interactor.begin(round)
    detachChild(child)
    slot.route = round % 5
    change(stack, round)
    change(kept, round)
    prepareChild(round)
    try list.update((0..<8).map { Ride(id: ($0 * 7 + round) % 11, cents: round % 3) })
  }

  private func change(_ stack: ChildStack<Int>, _ round: Int) {
    switch round % 4 {
    case 0: stack.push(round % 7)
    case 1: stack.replace(with: round % 7)
    case 2: stack.push(round % 5)
    default: stack.pop()
    }
    if round.isMultiple(of: 9) { stack.removeAll() }
  }

  /// Prepares a child, which replaces the one before, or one that is prepared too late.
  private func prepareChild(_ round: Int) {
    if let prepared { detachChild(prepared) }
    attach(
      "prepare", overlap: round.isMultiple(of: 3) ? .cancelPrevious : .enqueue,
      preparing: {
        ChurnChildRouter(interactor: ChurnInteractor())
      }
    ) { child in
      if let previous = self.prepared { self.detachChild(previous) }
      self.prepared = child
    }
  }
}
