/// The executor of a tree's tasks: schedules each job on the tree's actor.
///
/// Every task of a tree prefers this executor. Without it, closures with a capture list and asynchronous closures
/// nested in an operation silently leave the actor (Swift 6.3). With it, all code that is not bound to another actor
/// runs on the tree.
///
/// Jobs reach the actor in one of two ways. The direct way enqueues the job on the actor as an actor call does, through
/// runtime functions that have no Swift name (Swift 6.3). The fallback needs public API only: jobs wait in a queue, and
/// a task that is isolated to the actor runs them. It is used where the runtime functions no longer behave as expected,
/// in packages compiled with `RIBS_PUBLIC_API_ONLY`, and while the turns of the tree are measured.
final class HomeExecutor: HomeTaskExecutor {
  let gate = JobGate()
  /// Weak: the actor owns the tree, and with it this executor. Each task of the tree keeps the actor alive while it
  /// runs.
  private let home: Home
  /// Runs actors that have no executor of their own.
  private let base: any TaskExecutor
  /// `base`, if it records which tree it runs.
  private let treeExecutor: TreeExecutor?
  private let waiting = Locked<[UnownedJob]>([])
  fileprivate let activity: TreeActivity
  /// The `TurnMonitor` of the tree, if its turns are measured.
  fileprivate let turns: IsolationBox?

  private struct Home: Sendable { weak var actor: (any Actor)? }

  /// - Parameter base: the executor of actors that have none of their own; nil for the global executor.
  init(
    actor: any Actor, base: (any TaskExecutor)? = nil, _ activity: TreeActivity, _ turns: IsolationBox? = nil
  ) {
    home = Home(actor: actor)
    self.base = base ?? globalConcurrentExecutor
    treeExecutor = base as? TreeExecutor
    self.activity = activity
    self.turns = turns
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    // A job that drains a default actor's queue: that of the tree, or of an actor that its work calls.
    guard job.belongsToTask else { return drain(job) }
    if gate.keeps(job) { return }
    // Only tasks prefer this executor, and a running task keeps the actor alive.
    guard let actor = home.actor else { return base.enqueue(ExecutorJob(job)) }
    if turns == nil, RuntimeSymbols.areUsable {
      RuntimeSymbols.run(job, on: actor.unownedExecutor)
    } else {
      append(job, on: actor)
    }
  }

  private func drain(_ job: UnownedJob) {
    guard let treeExecutor else { return base.enqueue(ExecutorJob(job)) }
    treeExecutor.enqueue(job, of: activity.owner)
  }

  // MARK: Scheduling with public API only

  private func append(_ job: UnownedJob, on actor: any Actor) {
    let isFirst = waiting.withLock { waiting in
      waiting.append(job)
      return waiting.count == 1
    }
    guard isFirst else { return }
    Task.detached(executorPreference: base) { await actor.runWaiting(of: self) }
  }

  /// The next queued job; nil, and an empty queue, if all are done.
  fileprivate func waitingJob(after done: Int) -> UnownedJob? {
    waiting.withLock { waiting in
      guard done < waiting.count else {
        waiting = []
        return UnownedJob?.none
      }
      return waiting[done]
    }
  }
}

extension Actor {
  /// Runs the queued jobs of an executor, including those that arrive meanwhile.
  fileprivate func runWaiting(of executor: HomeExecutor) {
    var done = 0
    while let job = executor.waitingJob(after: done) {
      done += 1
      executor.activity.enter(.step)
      let isMeasured = executor.turns.map { beginStep($0, of: job.taskNumber) } ?? false
      job.runSynchronously(isolatedTo: unownedExecutor, taskExecutor: executor.asUnownedTaskExecutor())
      if isMeasured, let turns = executor.turns { endStep(turns) }
      executor.activity.leave()
    }
  }
}

/// Functions of the Swift concurrency runtime that have no Swift name (Swift 6.3). They are faster than public API, and
/// are used only if a check at run time finds that they behave as expected.
enum RuntimeSymbols {
  #if RIBS_PUBLIC_API_ONLY
    static var areUsable: Bool { false }

    static func run(_ job: UnownedJob, on executor: UnownedSerialExecutor) {}
  #else
    /// Checked once, at first use: whether the task ID of a job equals the one in the job's description, and that of a job
    /// of no task is zero.
    static let areUsable: Bool = {
      guard let task = JobProbe.jobs.task, let drain = JobProbe.jobs.drain else { return false }
      return task.id != 0 && task.text.hasSuffix("(id: \(task.id))") && drain.id == 0
    }()

    /// Enqueues a job on an actor, as an actor call does.
    ///
    /// A task that awaits the actor just to run the job there has the same effect, but takes more than twice as long.
    @_silgen_name("swift_task_enqueue")
    static func run(_ job: UnownedJob, on executor: UnownedSerialExecutor)

    /// The ID of the task that a job belongs to; zero for a job of no task, such as one that drains a default actor's
    /// queue.
    @_silgen_name("swift_task_getJobTaskId")
    static func taskID(of job: UnownedJob) -> UInt64
  #endif
}

/// The description of a job, which says whether the job belongs to a task. Public API says it in no other way (Swift 6.3).
enum JobText {
  /// Checked once, at first use: whether the descriptions tell jobs of a task from those of none.
  static let isUsable = isUsable(task: JobProbe.jobs.task?.text, drain: JobProbe.jobs.drain?.text)

  /// - Parameters:
  ///   - task: the description of a job of a task.
  ///   - drain: that of a job that drains an actor's queue.
  static func isUsable(task: String?, drain: String?) -> Bool {
    guard let task, let drain else { return false }
    return namesTask(task) && !namesTask(drain)
  }

  static func namesTask(_ text: String) -> Bool { !text.hasSuffix("(id: nil)") }
}

/// Runs a task that calls an actor, to see both kinds of jobs that reach the executor of a task.
final class JobProbe: TaskExecutor, SerialExecutor {
  struct Job: Sendable {
    let text: String
    /// Zero if it was not read.
    let id: UInt64
  }

  private actor Called {
    func call() {}
  }

  /// A job of the task, and the one that drains the actor's queue.
  static let jobs: (task: Job?, drain: Job?) = {
    let probe = JobProbe()
    let called = Called()
    Task.detached(executorPreference: probe) { await called.call() }
    let seen = probe.seen.withLock { $0 }
    return (seen.first, seen.first { $0.text != seen[0].text })
  }()

  private let seen = Locked<[Job]>([])

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    #if RIBS_PUBLIC_API_ONLY
      let new = Job(text: job.description, id: 0)
    #else
      let new = Job(text: job.description, id: RuntimeSymbols.taskID(of: job))
    #endif
    let isOfTask = seen.withLock { seen in
      seen.append(new)
      return seen[0].text == new.text && seen.count < 4
    }
    guard isOfTask else { return globalConcurrentExecutor.enqueue(ExecutorJob(job)) }
    // Isolated to this, so that the task can reach the actor only through the actor's queue.
    job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
  }
}

extension UnownedJob {
  /// Identifies the task that this job belongs to, among all existing tasks.
  var taskNumber: Int {
    #if !RIBS_PUBLIC_API_ONLY
      if RuntimeSymbols.areUsable { return Int(truncatingIfNeeded: RuntimeSymbols.taskID(of: self)) }
    #endif
    return description.hashValue
  }

  /// Whether this job belongs to a task; false for one that drains an actor's queue.
  package var belongsToTask: Bool {
    #if !RIBS_PUBLIC_API_ONLY
      if RuntimeSymbols.areUsable { return RuntimeSymbols.taskID(of: self) != 0 }
    #endif
    guard JobText.isUsable else {
      // A tree whose executor runs the wrong jobs would wait for ever, or run beside itself.
      fatalError(
        "RIBs: the concurrency runtime of this version of Swift does not say which jobs belong to a task. Use a version "
          + "of swift-ribs that was made for it.")
    }
    return JobText.namesTask(description)
  }
}

/// The executors of a tree's work, in place of its actor and the global executor.
@usableFromInline
package struct DrivenExecutors: Sendable {
  /// Runs jobs isolated to the tree's actor.
  package let home: any HomeTaskExecutor
  /// Runs the work that leaves the tree.
  package let offTree: any TaskExecutor

  package init(home: any HomeTaskExecutor, offTree: any TaskExecutor) {
    self.home = home
    self.offTree = offTree
  }
}
