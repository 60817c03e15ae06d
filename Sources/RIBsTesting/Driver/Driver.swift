// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

/// Runs a tree and its off-tree work on demand, for a test.
final class Driver: Sendable {
  private let queue: JobQueue
  private let home: HomeExecutor
  private let offTree: OffTreeExecutor
  /// The actor of the tree.
  let actor: DrivenActor

  /// - Parameter clock: the clock whose trees are driven together.
  init(_ clock: TestClock) {
    queue = JobQueue { [weak clock] in clock?.isDriving ?? false }
    home = HomeExecutor(queue: queue)
    offTree = OffTreeExecutor(queue: queue)
    actor = DrivenActor(executor: home)
  }

  var executors: DrivenExecutors { DrivenExecutors(home: home, offTree: offTree) }

  /// Runs all enqueued jobs on the calling thread, in FIFO order, until none is left.
  ///
  /// - Parameter rounds: the number of runs before, each of which has run a job.
  /// - Returns: whether any job was run and none is left, so that jobs of other drivers may be ready.
  @discardableResult
  func run(after rounds: Int = 0) -> Bool {
    let (serial, home, offTree) = (
      home.asUnownedSerialExecutor(), home.asUnownedTaskExecutor(), offTree.asUnownedTaskExecutor()
    )
    return queue.run(after: rounds) { job, place in
      switch place {
      case .home: job.runSynchronously(isolatedTo: serial, taskExecutor: home)
      case .offTree: job.runSynchronously(on: offTree)
      }
    }
  }

  /// The number of jobs after which a run is reported as never ending.
  var limit: Int {
    get { queue.limit }
    set { queue.limit = max(newValue, 1) }
  }

  /// Whether this driver is running a job on the calling thread.
  var isRunning: Bool { queue.isRunning }

  /// Returns and clears the problems found since the last call.
  func takeProblems() -> Set<JobQueue.Problem> { queue.takeProblems() }

  /// Returns when a job is enqueued, or after ten milliseconds.
  ///
  /// - Returns: false if the waiting task was cancelled first.
  nonisolated(nonsending) func waitForJob() async -> Bool {
    let timer = Task.detached { [queue] in
      try await Task.sleep(for: .milliseconds(10))
      queue.resumeWaiters()
    }
    defer { timer.cancel() }
    return await queue.waitForJob()
  }
}

/// The actor of a tree that a test drives.
actor DrivenActor {
  private nonisolated let executor: HomeExecutor

  init(executor: HomeExecutor) { self.executor = executor }

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
}

/// Enqueues the jobs of the tree.
final class HomeExecutor: SerialExecutor, HomeTaskExecutor {
  let gate = JobGate()
  private let queue: JobQueue

  init(queue: JobQueue) { self.queue = queue }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    // A job without a task belongs to another actor that the tree has called.
    guard job.belongsToTask else { return queue.add(job, .offTree) }
    if !gate.keeps(job) { queue.add(job, .home) }
  }

  /// A test may use its tree directly: the tree runs only when the test runs it.
  func checkIsolated() {
    precondition(queue.isHome, "This tree is used by work that has left it, or by another thread while it runs.")
  }
}

/// Enqueues the jobs of off-tree work.
final class OffTreeExecutor: TaskExecutor {
  private let queue: JobQueue

  init(queue: JobQueue) { self.queue = queue }

  func enqueue(_ job: consuming ExecutorJob) { queue.add(UnownedJob(job), .offTree) }
}
