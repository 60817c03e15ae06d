internal import RIBs

/// Runs a tree, and the work that leaves it, when a test says so and not before.
final class Driver: Sendable {
  private let queue: JobQueue
  private let home: HomeExecutor
  private let away: AwayExecutor
  /// Where the tree lives.
  let actor: DrivenActor

  init() {
    queue = JobQueue()
    home = HomeExecutor(queue: queue)
    away = AwayExecutor(queue: queue)
    actor = DrivenActor(executor: home)
  }

  var executors: DrivenExecutors { DrivenExecutors(home: home, away: away) }

  /// Runs everything that can be run, in the order in which it came, on the calling thread.
  ///
  /// - Returns: whether there was anything, and others may have something to do now.
  func run() -> Bool {
    let (serial, home, away) = (
      home.asUnownedSerialExecutor(), home.asUnownedTaskExecutor(), away.asUnownedTaskExecutor()
    )
    return queue.run { job, place in
      switch place {
      case .home: job.runSynchronously(isolatedTo: serial, taskExecutor: home)
      case .away: job.runSynchronously(on: away)
      }
    }
  }

  /// How many jobs are run before it is said that they do not end.
  var limit: Int {
    get { queue.limit }
    set { queue.limit = newValue }
  }

  /// Whether this runs something just now on the calling thread.
  var isRunning: Bool { queue.isRunning }

  /// What has troubled the test since this was last asked.
  func takeTroubles() -> Set<JobQueue.Trouble> { queue.takeTroubles() }

  /// Returns when there is something to run.
  ///
  /// - Returns: false if the waiting task was cancelled first.
  nonisolated(nonsending) func waitForJob() async -> Bool { await queue.waitForJob() }
}

/// The actor of a tree that a test drives.
actor DrivenActor {
  private nonisolated let executor: HomeExecutor

  init(executor: HomeExecutor) { self.executor = executor }

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
}

/// Keeps what is to run on the tree.
final class HomeExecutor: SerialExecutor, HomeTaskExecutor {
  let gate = JobGate()
  private let queue: JobQueue

  init(queue: JobQueue) { self.queue = queue }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    // What belongs to no task is another actor that the tree has called.
    guard job.belongsToTask else { return queue.add(job, .away) }
    if !gate.keeps(job) { queue.add(job, .home) }
  }

  /// A test may use its tree directly, because the tree does nothing by itself.
  func checkIsolated() {
    precondition(queue.isHome, "This tree is used by work that has left it, or by another thread while it runs.")
  }
}

/// Keeps what is to run beside the tree.
final class AwayExecutor: TaskExecutor {
  private let queue: JobQueue

  init(queue: JobQueue) { self.queue = queue }

  func enqueue(_ job: consuming ExecutorJob) { queue.add(UnownedJob(job), .away) }
}
