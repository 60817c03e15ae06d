internal import Synchronization

/// The executor that all Swift tasks of a tree prefer: it leads back to the tree's actor.
package protocol HomeTaskExecutor: TaskExecutor {
  /// Keeps what the calling thread enqueues while the gate is closed for it. `enqueue` asks it first.
  var gate: JobGate { get }
}

/// Keeps the jobs that one thread hands to an executor, and only that thread's, while it is closed.
///
/// It is how a Swift task is made without being enqueued, and how its first steps are taken one right after the other.
package final class JobGate: Sendable {
  private struct Kept {
    var first: UnownedJob?
    var others: [UnownedJob] = []
  }

  /// The thread that the gate is closed for; zero if it is open.
  private let thread = Atomic<UInt>(0)
  private let keepsAny = Atomic(false)
  private let kept = Locked(Kept())

  package init() {}

  /// Called by the executor with each job.
  ///
  /// - Returns: whether the job is kept here, so that the executor must do nothing with it.
  package func keeps(_ job: UnownedJob) -> Bool {
    let closedFor = thread.load(ordering: .relaxed)
    guard closedFor != 0, closedFor == currentThread() else { return false }
    kept.withLock { kept in
      if kept.first == nil { kept.first = job } else { kept.others.append(job) }
    }
    keepsAny.store(true, ordering: .relaxed)
    return true
  }

  /// Runs a closure with the gate closed for the calling thread.
  ///
  /// - Returns: the jobs that were kept meanwhile, in order.
  @inline(__always)
  func keeping(_ body: () -> Void) -> (first: UnownedJob, others: [UnownedJob])? {
    let outerThread = thread.exchange(currentThread(), ordering: .relaxed)
    // What is kept for the code around this stays apart.
    let outer = keepsAny.load(ordering: .relaxed) ? take() : nil
    body()
    let inner = keepsAny.load(ordering: .relaxed) ? take() : nil
    if let outer {
      kept.withLock { $0 = Kept(first: outer.first, others: outer.others) }
      keepsAny.store(true, ordering: .relaxed)
    }
    thread.store(outerThread, ordering: .relaxed)
    return inner
  }

  private func take() -> (first: UnownedJob, others: [UnownedJob])? {
    keepsAny.store(false, ordering: .relaxed)
    return kept.withLock { kept in
      guard let first = kept.first else { return nil }
      let others = kept.others
      kept = Kept()
      return (first, others)
    }
  }

  /// Runs a closure with the gate open.
  func open(_ body: () -> Void) {
    let outer = thread.exchange(0, ordering: .relaxed)
    body()
    thread.store(outer, ordering: .relaxed)
  }
}

/// Starts the work of a tree that runs on the tree, in a turn of the tree's actor.
///
/// A Swift task that is enqueued in the usual way takes its first step some turns of its actor later: a closure with a
/// capture list leaves the actor's isolation first and comes back through its executor (Swift 6.3), and whatever is
/// enqueued meanwhile runs in between, the end of the scope included. So the first job of each task is kept, all that
/// were kept are started in one turn of the actor, and what a task hands back to the executor before its first step runs
/// at once. Between the check that the scope lasts and the first step nothing else runs.
final class TaskStarter {
  let executor: any HomeTaskExecutor
  private weak var actor: (any Actor)?
  private var ready: [UnownedJob] = []
  private var isScheduled = false
  /// Whether the task that runs in this turn has checked its scope, so that its next job is the step.
  private var hasChecked = false

  init(on actor: any Actor, _ executor: any HomeTaskExecutor) {
    self.actor = actor
    self.executor = executor
  }

  /// Makes a Swift task without letting it begin.
  ///
  /// - Returns: the task, and its first job, which has to be handed to `start(_:)` some time.
  func make(_ make: (any TaskExecutor) -> BoundTask.Handle) -> (task: BoundTask.Handle?, job: UnownedJob?) {
    var task: BoundTask.Handle?
    let kept = executor.gate.keeping { task = make(executor) }
    return (task, kept?.first)
  }

  /// Lets a Swift task begin in a turn to come.
  func start(_ job: UnownedJob) {
    ready.append(job)
    guard !isScheduled, let actor else { return }
    isScheduled = true
    let box = IsolationBox(self)
    executor.gate.open { _ = Task(executorPreference: executor) { await actor.startReady(box) } }
  }

  /// Lets all begin that are ready. Called in a turn of the actor.
  func startReady(on serial: UnownedSerialExecutor) {
    isScheduled = false
    let jobs = ready
    ready.removeAll(keepingCapacity: jobs.count <= 64)
    for job in jobs { run(job, on: serial) }
  }

  /// Called by a task in its turn when it has checked that its scope lasts: the step follows at once.
  func didCheck() { hasChecked = true }

  /// Runs a job, and at once those that its task hands back to the executor, until the task has checked its scope and taken
  /// its step: a task comes back to the actor with one, and a step that has left the actor before it begins with another.
  private func run(_ job: UnownedJob, on serial: UnownedSerialExecutor) {
    let home = executor.asUnownedTaskExecutor()
    // Read while the job is there. What observers do meanwhile may hand over the jobs of other tasks.
    let task = job.taskNumber
    hasChecked = false
    var job = job
    while !hasChecked {
      let handedBack = executor.gate.keeping { job.runSynchronously(isolatedTo: serial, taskExecutor: home) }
      guard let handedBack else { return }
      var next = handedBack.first.taskNumber == task ? handedBack.first : nil
      if next == nil { executor.enqueue(ExecutorJob(handedBack.first)) }
      for job in handedBack.others {
        if next == nil, job.taskNumber == task { next = job } else { executor.enqueue(ExecutorJob(job)) }
      }
      guard let next else { return }
      job = next
    }
    job.runSynchronously(isolatedTo: serial, taskExecutor: home)
  }

  // MARK: Later steps

  /// Suspends the calling task, and continues it in a turn in which its next step runs right after what the caller checks,
  /// as the first step of a task does.
  nonisolated(nonsending) func continueInTurn() async {
    guard let actor else { return }
    await TaskStarter.suspend(IsolationBox(self), on: actor, executor)
  }

  /// Not isolated, so that the executor is asked to continue the task, and not the actor.
  @concurrent
  private static func suspend(_ box: IsolationBox, on actor: any Actor, _ executor: any HomeTaskExecutor) async {
    await withUnsafeContinuation { continuation in
      executor.gate.open { _ = Task(executorPreference: executor) { await actor.resume(continuation, with: box) } }
    }
  }

  /// Called in a turn of the actor.
  func resume(_ continuation: UnsafeContinuation<Void, Never>, on serial: UnownedSerialExecutor) {
    if let kept = executor.gate.keeping({ continuation.resume() }) { run(kept.first, on: serial) }
  }
}
