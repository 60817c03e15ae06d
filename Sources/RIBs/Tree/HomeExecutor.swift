/// Runs what is handed to it isolated to a tree's actor.
///
/// Every task of a tree prefers this executor. Without it, closures with a capture list and asynchronous closures
/// nested in an operation silently leave the actor (Swift 6.3); with it, whatever is not bound to another actor runs on
/// the tree. Jobs that come while others wait are run together, in one visit to the actor, in the order in which they
/// came.
final class HomeExecutor: TaskExecutor {
  /// Not owned: the actor owns the tree, and with it this. Each task of the tree keeps the actor alive while it runs.
  private unowned let actor: any Actor
  private let queue = Locked(Queue())

  private struct Queue {
    var jobs: [UnownedJob] = []
    /// Whether a visit to the actor is under way or on its way.
    var isServed = false
  }

  init(actor: any Actor) { self.actor = actor }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    // Another actor that a task of the tree calls: it works elsewhere, for whoever else waits for it too.
    guard taskID(of: job) != 0 else { return globalConcurrentExecutor.enqueue(job) }
    let needsVisit = queue.withLock { queue in
      queue.jobs.append(job)
      defer { queue.isServed = true }
      return !queue.isServed
    }
    if needsVisit { visit() }
  }

  private func visit() {
    let actor = actor
    Task.detached { await actor.serve(self) }
  }

  /// Runs the waiting jobs; what they enqueue waits for the next visit, so that others get their turn on the actor.
  fileprivate func serve(isolatedTo serial: UnownedSerialExecutor) {
    let jobs = queue.withLock { queue in
      defer { queue.jobs = [] }
      return queue.jobs
    }
    let home = asUnownedTaskExecutor()
    for job in jobs { job.runSynchronously(isolatedTo: serial, taskExecutor: home) }
    let needsVisit = queue.withLock { queue in
      queue.isServed = !queue.jobs.isEmpty
      return queue.isServed
    }
    if needsVisit { visit() }
  }
}

extension Actor {
  fileprivate func serve(_ executor: HomeExecutor) { executor.serve(isolatedTo: unownedExecutor) }
}

/// The number of the task that a job belongs to; zero for a job that belongs to none, such as one that runs whatever
/// waits for a default actor.
///
/// The standard library shows it in the description of a job only (Swift 6.3), which is slow to make and to read.
@_silgen_name("swift_task_getJobTaskId")
package func taskID(of job: UnownedJob) -> UInt64
