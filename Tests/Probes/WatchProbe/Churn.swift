// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RIBs
import RIBsInspector
import RIBsLists
import Synchronization

/// Does everything that a busy server does with its trees, ten times for ten seconds: attaches, prepares and detaches
/// children, starts work of every kind, starts and stops workers, subscribes, runs workflows, changes slots and stacks,
/// updates lists, and opens, shuts down and drops hosts, while a client follows all trees.
///
/// Writes the memory, in KiB, between 20 and 40 seconds, and 60 seconds later: that of the heap in use, then that of the
/// process without mapped files.
///
/// It is measured after each ten seconds, when all trees have ended. While they are busy, it depends on how much of
/// their work waits for a thread. What is left varies a little with the threads, so the smallest of three values counts; the
/// memory of the process, with stacks and gaps in pages, varies by 10 %, and has grown if it is always above the first three.
/// Most pages of the process are those of its files, which the kernel drops and reads as it likes.
func churn() async throws {
  let inspector = try Inspector.start()
  let follower = try Follower(inspector.socketPath, isReading: true)
  var (heap, anonymous): ([Int], [Int]) = ([], [])
  for _ in 0..<10 {
    try await churn(for: .seconds(10), inspector)
    // The inspector has delivered what it holds, and leak detection has checked all RIBs.
    try await Task.sleep(for: .seconds(2))
    try await fillCaches()
    heap.append(heapKibibytes)
    anonymous.append(anonymousKibibytes)
  }
  FileHandle.standardError.write(Data("heap \(heap), without files \(anonymous)\n".utf8))
  print(heap[1..<4].min() ?? 0, heap[7..<10].min() ?? 0)
  print(anonymous[1..<4].max() ?? 0, anonymous[7..<10].min() ?? 0)
  follower.leave()
}

private final class Count: Sendable {
  let value = Atomic(0)
}

/// Lets each thread of the pool run more jobs than libdispatch keeps the memory of, which are 1,024 for each thread: 80 KB.
/// It keeps that of jobs that other threads have enqueued, so it would grow from no jobs to that many at some time.
private func fillCaches() async throws {
  let waiting = Count()
  let count = 20_000
  waiting.value.store(count, ordering: .relaxed)
  Thread.detachNewThread {
    for _ in 0..<count { Task.detached { waiting.value.subtract(1, ordering: .relaxed) } }
  }
  while waiting.value.load(ordering: .relaxed) > 0 { try await Task.sleep(for: .milliseconds(10)) }
}

/// Returns when all trees have ended.
private func churn(for duration: Duration, _ inspector: Inspector) async throws {
  let living = Count()
  let configuration = TreeConfiguration(
    leakDetection: .after(.milliseconds(100)), inspector: inspector,
    onEnd: { _ in living.value.subtract(1, ordering: .relaxed) })
  let end = ContinuousClock.now + duration
  try await withThrowingTaskGroup(of: Void.self) { group in
    for part in 0..<4 {
      group.addTask {
        var round = part
        while ContinuousClock.now < end {
          living.value.add(1, ordering: .relaxed)
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
  while living.value.load(ordering: .relaxed) > 0 { try await Task.sleep(for: .milliseconds(10)) }
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
  private lazy var stack = ChildStack<Int>(of: self, covered: .released) { _, _ in
    Router(interactor: ChurnInteractor())
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

/// The memory in use of the C library's heap, in KiB. Returns unused memory to the kernel.
///
/// It comes from `malloc_info`, which Swift does not import: in XML, the memory of all arenas, of which unused blocks are
/// subtracted, and the blocks that have memory of their own.
private var heapKibibytes: Int {
  typealias MallocInfo = @convention(c) (Int32, UnsafeMutablePointer<FILE>) -> Int32
  typealias MallocTrim = @convention(c) (Int) -> Int32
  var text: UnsafeMutablePointer<CChar>?
  var size = 0
  guard let info = dlsym(nil, "malloc_info"), let trim = dlsym(nil, "malloc_trim"),
    let file = open_memstream(&text, &size)
  else { return 0 }
  _ = unsafeBitCast(trim, to: MallocTrim.self)(0)
  _ = unsafeBitCast(info, to: MallocInfo.self)(0, file)
  fclose(file)
  guard let text else { return 0 }
  defer { free(text) }
  // What follows the arenas are the sums.
  let sums = String(cString: text).components(separatedBy: "</heap>").last ?? ""
  func bytes(_ element: String) -> Int {
    guard let start = sums.range(of: "<" + element)?.upperBound, let size = sums[start...].range(of: "size=\"") else {
      return 0
    }
    return Int(sums[size.upperBound...].prefix { $0.isNumber }) ?? 0
  }
  let unused = bytes("total type=\"fast\"") + bytes("total type=\"rest\"")
  return (bytes("system type=\"current\"") - unused + bytes("total type=\"mmap\"")) / 1024
}
