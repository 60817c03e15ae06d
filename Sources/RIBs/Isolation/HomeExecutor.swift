/// Runs what is handed to it where a tree's actor runs, when its turn comes there.
///
/// Every task of a tree prefers this executor. Without it, closures with a capture list and asynchronous closures
/// nested in an operation silently leave the actor (Swift 6.3); with it, whatever is not bound to another actor runs on
/// the tree.
///
/// There are two ways back to the actor. The direct one hands the job to the actor as a call of the actor does; the
/// standard library has functions for it, but no Swift names (Swift 6.3). The other one needs public API only: jobs wait
/// in a queue, and a task that is isolated to the actor runs them. It is taken where the first one is not what it was, and
/// in packages that are compiled with `RIBS_PUBLIC_API_ONLY`.
final class HomeExecutor: HomeTaskExecutor {
  let gate = JobGate()
  /// Not owned: the actor owns the tree, and with it this. Each task of the tree keeps the actor alive while it runs.
  private let home: Home
  /// Lends its threads to actors that have none.
  private let base: any TaskExecutor
  private let waiting = Locked<[UnownedJob]>([])

  private struct Home: Sendable { weak var actor: (any Actor)? }

  /// - Parameter base: where actors without an executor of their own run what they have to; nil for the global executor.
  init(actor: any Actor, base: (any TaskExecutor)? = nil) {
    home = Home(actor: actor)
    self.base = base ?? globalConcurrentExecutor
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    // An actor that is to be run: the tree's, or one that its work calls, and then for everything else that waits for it.
    guard job.belongsToTask else { return base.enqueue(ExecutorJob(job)) }
    if gate.keeps(job) { return }
    // Only tasks prefer this executor, and while one runs there is an actor.
    guard let actor = home.actor else { return base.enqueue(ExecutorJob(job)) }
    if RuntimeSymbols.areUsable {
      RuntimeSymbols.run(job, on: actor.unownedExecutor)
    } else {
      append(job, on: actor)
    }
  }

  // MARK: The way with public API only

  private func append(_ job: UnownedJob, on actor: any Actor) {
    let isFirst = waiting.withLock { waiting in
      waiting.append(job)
      return waiting.count == 1
    }
    guard isFirst else { return }
    Task.detached(executorPreference: base) { await actor.runWaiting(of: self) }
  }

  /// Runs the jobs that wait, and those that come meanwhile. Called in a turn of the actor.
  fileprivate func runWaiting(on executor: UnownedSerialExecutor) {
    var done = 0
    while let job = waiting.withLock({ waiting in
      guard done < waiting.count else {
        waiting = []
        return UnownedJob?.none
      }
      return waiting[done]
    }) {
      done += 1
      job.runSynchronously(isolatedTo: executor, taskExecutor: asUnownedTaskExecutor())
    }
  }
}

extension Actor {
  fileprivate func runWaiting(of executor: HomeExecutor) { executor.runWaiting(on: unownedExecutor) }
}

/// Functions of the standard library's concurrency runtime that have no Swift name (Swift 6.3): faster than public API,
/// and used only where they do what they did when this was written.
enum RuntimeSymbols {
  #if RIBS_PUBLIC_API_ONLY
    static var areUsable: Bool { false }

    static func run(_ job: UnownedJob, on executor: UnownedSerialExecutor) {}
  #else
    /// Checked once, at first use: whether the number of a task is the one that the description of its job shows.
    static let areUsable: Bool = {
      let probe = Probe()
      Task.detached(executorPreference: probe) {}
      return probe.taskHasItsNumber.withLock { $0 }
    }()

    /// Has a job wait for its turn on an actor, as a call of the actor does.
    ///
    /// A task that awaits the actor just to run the job there does the same, and takes more than twice as long.
    @_silgen_name("swift_task_enqueue")
    static func run(_ job: UnownedJob, on executor: UnownedSerialExecutor)

    /// The number of the task that a job belongs to; zero for a job that belongs to none, such as one that runs whatever
    /// waits for a default actor.
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
  /// Tells the task that this belongs to from all others that exist.
  var taskNumber: Int {
    #if !RIBS_PUBLIC_API_ONLY
      if RuntimeSymbols.areUsable { return Int(truncatingIfNeeded: RuntimeSymbols.taskID(of: self)) }
    #endif
    return description.hashValue
  }

  /// Whether this belongs to a task, and not to an actor that is to be run.
  package var belongsToTask: Bool {
    #if !RIBS_PUBLIC_API_ONLY
      if RuntimeSymbols.areUsable { return RuntimeSymbols.taskID(of: self) != 0 }
    #endif
    return !description.hasSuffix("(id: nil)")
  }
}

/// Where the work of a tree runs, in place of its actor and the global executor.
@usableFromInline
package struct DrivenExecutors: Sendable {
  /// Runs what it is handed isolated to the tree's actor.
  package let home: any HomeTaskExecutor
  /// Runs the work that leaves the tree.
  package let away: any TaskExecutor

  package init(home: any HomeTaskExecutor, away: any TaskExecutor) {
    self.home = home
    self.away = away
  }
}
