/// Runs what is handed to it where a tree's actor runs, when its turn comes there.
///
/// Every task of a tree prefers this executor. Without it, closures with a capture list and asynchronous closures
/// nested in an operation silently leave the actor (Swift 6.3); with it, whatever is not bound to another actor runs on
/// the tree.
final class HomeExecutor: TaskExecutor {
  /// Not owned: the actor owns the tree, and with it this. Each task of the tree keeps the actor alive while it runs.
  private unowned let actor: any Actor
  /// Lends its threads to actors that have none.
  private let base: any TaskExecutor

  /// - Parameter base: where actors without an executor of their own run what they have to; nil for the global executor.
  init(actor: any Actor, base: (any TaskExecutor)? = nil) {
    self.actor = actor
    self.base = base ?? globalConcurrentExecutor
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    // An actor that is to be run: the tree's, or one that its work calls, and then for whoever else waits for it too.
    guard taskID(of: job) != 0 else { return base.enqueue(job) }
    run(job, on: actor.unownedExecutor)
  }
}

/// Has a job wait for its turn on an actor, as a call of the actor does.
///
/// The standard library has this for whoever calls an actor, and by no other name (Swift 6.3). A task that awaits the actor
/// just to run the job there would do the same, and take more than twice as long.
@_silgen_name("swift_task_enqueue")
private func run(_ job: UnownedJob, on executor: UnownedSerialExecutor)

/// The number of the task that a job belongs to; zero for a job that belongs to none, such as one that runs whatever
/// waits for a default actor.
///
/// The standard library shows it in the description of a job only (Swift 6.3), which is slow to make and to read.
@_silgen_name("swift_task_getJobTaskId")
package func taskID(of job: UnownedJob) -> UInt64
