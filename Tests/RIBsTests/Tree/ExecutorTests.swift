import Dispatch
import RIBs
import Testing

@Suite("A tree that was given an executor", .timeLimit(.minutes(15)))
struct ExecutorTests {
  /// Runs what it is handed on a queue.
  final class Queue: TaskExecutor {
    private let queue = KnownQueue()

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    var isCurrent: Bool { queue.isCurrent }
  }

  actor Neighbor {
    func isOn(_ queue: Queue) -> Bool { queue.isCurrent }
  }

  final class Interactor: RIBs.Interactor {
    private let queue: Queue
    /// For each step of the work, whether it ran on the queue.
    private(set) var steps: [Bool] = []
    private(set) var away: [Bool] = []

    init(queue: Queue) { self.queue = queue }

    private func note() { steps.append(queue.isCurrent) }

    func listen(to ticks: AsyncStream<Void>, _ tell: AsyncStream<Bool>.Continuation) {
      task { for await _ in ticks { tell.yield(self.queue.isCurrent) } }
    }

    /// Comes back to the tree in every way there is, and notes five steps.
    func comeBack() {
      task {
        self.note()
        await Task.yield()
        self.note()
        await withCheckedContinuation { continuation in DispatchQueue.global().async { continuation.resume() } }
        self.note()
        await withTaskGroup { group in for _ in 0..<3 { group.addTask { await Task.yield() } } }
        self.note()
        try await Task.sleep(for: .microseconds(1))
        self.note()
      }
    }

    func leave() {
      run({ [queue] in queue.isCurrent }) { wasOnQueue in
        self.away.append(wasOnQueue)
        self.note()
      }
    }

    func ask(_ neighbor: Neighbor) {
      task {
        await Task.yield()
        self.steps.append(await neighbor.isOn(self.queue))
      }
    }
  }

  private static func host(on queue: Queue) async -> TreeHost<Router<Interactor>> {
    await TreeHost(configuration: TreeConfiguration(threads: .executor(queue))) {
      Router(interactor: Interactor(queue: queue))
    }
  }

  /// Waits for so many steps.
  private static func steps(_ count: Int, of host: TreeHost<Router<Interactor>>) async throws -> [Bool] {
    while try await host.perform({ $0.interactor.steps.count < count }) { await Task.yield() }
    return try await host.perform { $0.interactor.steps }
  }

  /// Has a tree on a queue do something again and again, for a caller that prefers the queue too.
  private static func repeating(
    _ times: Int, steps count: Int, _ work: @escaping @Sendable (Interactor) -> Void
  ) async throws -> (steps: [Bool], away: [Bool]) {
    let queue = Queue()
    let host = await host(on: queue)
    return try await Task(executorPreference: host.executor) {
      for _ in 0..<times { try await host.perform { work($0.interactor) } }
      let steps = try await steps(count, of: host)
      let away = try await host.perform { $0.interactor.away }
      await host.shutdown()
      return (steps, away)
    }.value
  }

  @Test("stays there with all that it awaits, if its caller prefers the same")
  func stays() async throws {
    let steps = try await Self.repeating(200, steps: 1_000) { $0.comeBack() }.steps
    #expect(steps == Array(repeating: true, count: 1_000))
  }

  @Test("calls other actors there")
  func neighbors() async throws {
    let neighbor = Neighbor()
    let steps = try await Self.repeating(100, steps: 100) { $0.ask(neighbor) }.steps
    #expect(steps == Array(repeating: true, count: 100))
  }

  @Test("computes elsewhere what leaves it")
  func leaves() async throws {
    let (steps, away) = try await Self.repeating(100, steps: 100) { $0.leave() }
    #expect(away == Array(repeating: false, count: 100))
    #expect(steps.count == 100)
  }

  @Test("loses nothing when calls come from everywhere")
  func everywhere() async throws {
    let queue = Queue()
    let host = await Self.host(on: queue)
    try await withThrowingTaskGroup { group in
      for caller in 0..<8 {
        group.addTask(executorPreference: caller.isMultiple(of: 2) ? queue : nil) {
          for _ in 0..<50 { try await host.perform { $0.interactor.comeBack() } }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await Self.steps(2_000, of: host).count == 2_000)
    #expect(await host.shutdown(timeout: .seconds(60)).unfinishedTasks.isEmpty)
  }

  @Test("returns there by itself, whatever its caller")
  func comesBack() async throws {
    let queue = Queue()
    let host = await Self.host(on: queue)
    let (ticks, clock) = AsyncStream<Void>.makeStream()
    let (heard, ear) = AsyncStream<Bool>.makeStream()
    try await host.perform { $0.interactor.listen(to: ticks, ear) }
    var listening = heard.makeAsyncIterator()
    // From here on only the stream wakes the tree. The first step may still run where the call did.
    var steps: [Bool?] = []
    for _ in 0..<1_000 {
      clock.yield()
      steps.append(await listening.next())
    }
    #expect(steps.contains(true))
    await host.shutdown()
  }
}
