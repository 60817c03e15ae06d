import Dispatch
import Foundation
import RIBs
import Synchronization
import Testing
#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

@Suite("A tree executor", .timeLimit(.minutes(15)))
struct TreeExecutorTests {
  /// Notes what runs, and whether two ever ran at once.
  private final class Notes: Sendable {
    private let numbers = Locked<[Int]>([])
    private let isBusy = Atomic(false)
    private let overlaps = Atomic(0)

    func note(_ number: Int) {
      if isBusy.exchange(true, ordering: .acquiring) { overlaps.add(1, ordering: .relaxed) }
      numbers.withLock { $0.append(number) }
      isBusy.store(false, ordering: .releasing)
    }

    var all: [Int] { numbers.withLock { $0 } }
    var numberOfOverlaps: Int { overlaps.load(ordering: .relaxed) }
  }

  @Test("runs what it is handed in the order in which it came, whatever its priority")
  func order() async {
    let executor = TreeExecutor()
    let notes = Notes()
    let priorities: [TaskPriority] = [.low, .high, .medium]
    let tasks = (0..<1_000).map { number in
      Task(executorPreference: executor, priority: priorities[number % 3]) { notes.note(number) }
    }
    for task in tasks { await task.value }
    #expect(notes.all == Array(0..<1_000))
    #expect(notes.numberOfOverlaps == 0)
  }

  @Test("loses nothing that comes from many threads, and runs one at a time")
  func everywhere() async {
    let executor = TreeExecutor()
    let notes = Notes()
    let handedIn = Locked<[Task<Void, Never>]>([])
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for number in 0..<500 {
        let task = Task(executorPreference: executor) {
          notes.note(2 * (thread * 500 + number))
          await Task.yield()
          notes.note(2 * (thread * 500 + number) + 1)
        }
        handedIn.withLock { $0.append(task) }
      }
    }
    let tasks = handedIn.withLock { $0 }
    for task in tasks { await task.value }
    #expect(notes.all.sorted() == Array(0..<8_000))
    #expect(notes.numberOfOverlaps == 0)
  }

  @Test("begins again each time that it had nothing left to do")
  func idle() async {
    let executor = TreeExecutor()
    for number in 0..<2_000 {
      let answer = Task(executorPreference: executor) { number }
      #expect(await answer.value == number)
    }
  }

  @Test("works while another one is held up")
  func apart() async {
    let (held, free) = (TreeExecutor(), TreeExecutor())
    let gate = DispatchSemaphore(value: 0)
    let holding = Task(executorPreference: held) { gate.waitForever() }
    await Task(executorPreference: free) {}.value
    gate.signal()
    await holding.value
  }

  /// Comes back to its tree in several ways, and notes each step.
  private final class Walker: Interactor {
    private let notes: Notes
    private(set) var walks = 0

    init(_ notes: Notes) { self.notes = notes }

    func walk() {
      task {
        self.notes.note(0)
        await withCheckedContinuation { continuation in DispatchQueue.global().async { continuation.resume() } }
        self.notes.note(1)
        await withTaskGroup { group in for _ in 0..<3 { group.addTask { await Task.yield() } } }
        self.notes.note(2)
        try await Task.sleep(for: .microseconds(1))
        self.notes.note(3)
        self.walks += 1
      }
    }
  }

  @Test("runs the trees that it was given one at a time, whatever they wait for")
  func trees() async throws {
    let executor = TreeExecutor()
    let notes = Notes()
    try await withThrowingTaskGroup { group in
      for _ in 0..<20 {
        group.addTask(executorPreference: executor) {
          let host = await TreeHost(configuration: TreeConfiguration(threads: .executor(executor))) {
            Router(interactor: Walker(notes))
          }
          for _ in 0..<20 { try await host.perform { $0.interactor.walk() } }
          while try await host.perform({ $0.interactor.walks < 20 }) { await Task.yield() }
          await host.shutdown()
        }
      }
      try await group.waitForAll()
    }
    let expected = 20 * 20 * 4
    #expect(notes.all.count == expected)
    #expect(notes.numberOfOverlaps == 0)
  }

  @Test("is one of as many as there are cores, and has as many trees as the others, in trees with a thread per core")
  func cores() async throws {
    let cores = ProcessInfo.processInfo.activeProcessorCount
    let executors = TreeExecutor.Pool()
    var numbers: [ObjectIdentifier: Int] = [:]
    for _ in 0..<100 * cores {
      let configuration = TreeConfiguration(threads: .perCore(executors))
      let host = await TreeHost(configuration: configuration) { Scripted.RootRouter() }
      let executor = try #require(host.executor as? TreeExecutor)
      numbers[ObjectIdentifier(executor), default: 0] += 1
      await Task(executorPreference: executor) { _ = await host.shutdown() }.value
    }
    #expect(numbers.count == cores)
    #expect(numbers.values.allSatisfy { $0 == 100 })
  }

  @Test("is none in trees on the usual threads")
  func global() async {
    let host = await TreeHost { Scripted.RootRouter() }
    #expect(host.executor == nil)
    await host.shutdown()
  }

  @Test("is kept by what it runs, and goes when there is nothing left")
  func going() async {
    weak var executor: TreeExecutor?
    let notes = Notes()
    let task: Task<Void, Never>
    do {
      let new = TreeExecutor()
      executor = new
      task = Task(executorPreference: new) {
        for number in 0..<100 {
          notes.note(number)
          await Task.yield()
        }
      }
    }
    await task.value
    #expect(notes.all == Array(0..<100))
    while executor != nil { await Task.yield() }
  }

  /// Lets the waiting code continue on a separate thread that never idles.
  private final class Starter: Sendable {
    private let waiting = Locked<[CheckedContinuation<Void, Never>]>([])
    private let isOver = Atomic(false)

    func wait() async { await withCheckedContinuation { continuation in waiting.withLock { $0.append(continuation) } } }

    func run() {
      while !isOver.load(ordering: .relaxed) {
        let next = waiting.withLock { waiting in
          defer { waiting = [] }
          return waiting
        }
        for continuation in next { continuation.resume() }
      }
    }

    func end() { isOver.store(true, ordering: .relaxed) }
  }

  @Test("may go with the last thing that another thread hands it")
  func lastJob() async {
    let starter = Starter()
    DispatchQueue(label: "starter").async { starter.run() }
    await withTaskGroup { group in
      for _ in 0..<2 {
        group.addTask {
          // Only the task retains the executor, and the code that enqueues the task does not retain the task.
          for _ in 0..<1_000 { await Task(executorPreference: TreeExecutor()) { await starter.wait() }.value }
        }
      }
    }
    starter.end()
  }

  @Test("leaves the signals of the process to other threads, and what it does wrong to itself")
  func signals() async {
    func isBlocked(_ signal: Int32) -> Bool {
      var blocked = sigset_t()
      pthread_sigmask(SIG_BLOCK, nil, &blocked)
      return sigismember(&blocked, signal) == 1
    }
    let wasBlocked = isBlocked(SIGUSR1)
    let executor = TreeExecutor()
    #expect(isBlocked(SIGUSR1) == wasBlocked)
    let blocked = await Task(executorPreference: executor) { [SIGTERM, SIGINT, SIGSEGV].map(isBlocked) }.value
    #expect(blocked == [true, true, false])
  }

  #if os(Linux)
    @Test("gives back its thread and its files")
    func givingBack() async {
      await #expect(processExitsWith: .success) {
        await Task(executorPreference: TreeExecutor()) {}.value
        let (threads, files) = (entries(of: "/proc/self/task"), entries(of: "/proc/self/fd"))
        for _ in 0..<500 { await Task(executorPreference: TreeExecutor()) {}.value }
        while entries(of: "/proc/self/task") > threads + 10 || entries(of: "/proc/self/fd") > files + 10 {
          await Task.yield()
        }
      }
    }

    @Test("leaves its work to the global executor where it is given no thread")
    func withoutThread() async {
      await #expect(processExitsWith: .success) {
        let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var (usual, none) = (rlimit(), rlimit())
        precondition(getrlimit(files, &usual) == 0)
        none.rlim_max = usual.rlim_max
        precondition(setrlimit(files, &none) == 0)
        let executor = TreeExecutor()
        precondition(setrlimit(files, &usual) == 0)
        let answers = (0..<100).map { number in Task(executorPreference: executor) { number } }
        for (number, answer) in answers.enumerated() {
          let value = await answer.value
          precondition(value == number)
        }
      }
    }
  #endif
}

extension DispatchSemaphore {
  /// Holds up the thread, as asynchronous code must not.
  fileprivate func waitForever() { wait() }
}

#if os(Linux)
  /// How many entries a folder has.
  private func entries(of folder: String) -> Int {
    guard let stream = opendir(folder) else { return 0 }
    defer { closedir(stream) }
    var count = 0
    while readdir(stream) != nil { count += 1 }
    return count
  }
#endif
