// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

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
  private let waiting = Locked(Waiting())
  fileprivate let activity: TreeActivity
  /// The `TurnMonitor` of the tree, if its turns are measured.
  fileprivate let turns: IsolationBox?

  private struct Home: Sendable { weak var actor: (any Actor)? }

  /// The jobs that wait for the actor, and whether a task is about to run them there.
  private struct Waiting {
    var jobs: [UnownedJob] = []
    var isScheduled = false
  }

  init(actor: any Actor, _ activity: TreeActivity, _ turns: IsolationBox? = nil) {
    home = Home(actor: actor)
    self.activity = activity
    self.turns = turns
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    // A job that drains a default actor's queue: that of the tree, or of an actor that its work calls.
    guard job.belongsToTask else { return globalConcurrentExecutor.enqueue(ExecutorJob(job)) }
    if gate.keeps(job) { return }
    // Only tasks prefer this executor, and a running task keeps the actor alive.
    guard let actor = home.actor else { return globalConcurrentExecutor.enqueue(ExecutorJob(job)) }
    if turns == nil, RuntimeSymbols.areUsable {
      RuntimeSymbols.run(job, on: actor.unownedExecutor)
    } else {
      append(job, on: actor)
    }
  }

  // MARK: Scheduling with public API only

  private func append(_ job: UnownedJob, on actor: any Actor) {
    let isFirst = waiting.withLock { waiting in
      waiting.jobs.append(job)
      defer { waiting.isScheduled = true }
      return !waiting.isScheduled
    }
    if isFirst { schedule(on: actor) }
  }

  private func schedule(on actor: any Actor) {
    Task.detached { await actor.runWaiting(of: self) }
  }

  /// Removes the queued jobs.
  fileprivate func takeWaiting() -> [UnownedJob] {
    waiting.withLock { waiting in
      defer { waiting.jobs = [] }
      return waiting.jobs
    }
  }

  /// Schedules the jobs that have arrived while others ran. They run in another job of the actor, so that tasks that
  /// resume each other do not keep it from its other callers.
  fileprivate func scheduleWaiting(on actor: any Actor) {
    let isScheduled = waiting.withLock { waiting in
      waiting.isScheduled = !waiting.jobs.isEmpty
      return waiting.isScheduled
    }
    if isScheduled { schedule(on: actor) }
  }
}

extension Actor {
  /// Runs the queued jobs of an executor.
  fileprivate func runWaiting(of executor: HomeExecutor) {
    let turns = executor.turns.map { content(of: $0, as: TurnMonitor.self) }
    for job in executor.takeWaiting() {
      executor.activity.enter(.step)
      let isMeasured = turns?.beginStep(of: job.taskNumber) ?? false
      job.runSynchronously(isolatedTo: unownedExecutor, taskExecutor: executor.asUnownedTaskExecutor())
      if isMeasured { turns?.end() }
      executor.activity.leave()
    }
    executor.scheduleWaiting(on: self)
  }
}

/// Functions of the Swift concurrency runtime that have no Swift name (Swift 6.3). They are faster than public API, and
/// are used only if a check at run time finds that they behave as expected.
enum RuntimeSymbols {
  #if RIBS_PUBLIC_API_ONLY
    static var areUsable: Bool { false }

    static func run(_ job: UnownedJob, on executor: UnownedSerialExecutor) {}
  #else
    /// Checked once, at first use: whether the task ID of a job equals the one in the job's description.
    static let areUsable: Bool = {
      let probe = Probe()
      Task.detached(executorPreference: probe) {}
      return probe.taskHasItsNumber.withLock { $0 }
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

    private final class Probe: TaskExecutor {
      let taskHasItsNumber = Locked(false)

      func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let number = RuntimeSymbols.taskID(of: job)
        let isUsable = number != 0 && job.description.hasSuffix("(id: \(number))")
        taskHasItsNumber.withLock { $0 = isUsable }
        globalConcurrentExecutor.enqueue(ExecutorJob(job))
      }
    }
  #endif
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
    return !description.hasSuffix("(id: nil)")
  }
}

/// The executors of a tree's work, in place of its actor and the global executor.
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
