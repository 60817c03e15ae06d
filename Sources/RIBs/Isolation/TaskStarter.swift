// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// The executor that all Swift tasks of a tree prefer. It runs their jobs on the tree's actor.
package protocol HomeTaskExecutor: TaskExecutor {
  /// The gate that captures jobs of the calling thread while it is closed. `enqueue` must check it first.
  var gate: JobGate { get }
}

/// Captures the jobs that one thread enqueues on an executor while the gate is closed for that thread.
///
/// It allows a Swift task to be created without being enqueued, and its first jobs to run back to back.
package final class JobGate: Sendable {
  /// Captured jobs, in order. A nominal type, because an optional tuple is handled through its metadata (Swift 6.3).
  struct Jobs {
    let first: UnownedJob
    fileprivate(set) var others: [UnownedJob] = []
  }

  /// The thread for which the gate is closed; zero if it is open. Only code on the tree's actor changes it.
  private let thread = Atomic<UInt>(0)
  private let keepsAny = Atomic(false)
  private let kept = Locked<Jobs?>(nil)

  package init() {}

  /// Called by the executor with each job.
  ///
  /// - Returns: whether the gate captured the job, so that the executor must not run it.
  package func keeps(_ job: UnownedJob) -> Bool {
    let closedFor = thread.load(ordering: .relaxed)
    guard closedFor != 0, closedFor == currentThread() else { return false }
    kept.withLock { kept in
      if kept == nil { kept = Jobs(first: job) } else { kept?.others.append(job) }
    }
    keepsAny.store(true, ordering: .relaxed)
    return true
  }

  /// Runs a closure with the gate closed for the calling thread.
  ///
  /// - Returns: the captured jobs, in order.
  @inline(__always)
  func keeping(_ body: () -> Void) -> Jobs? {
    let outerThread = thread.load(ordering: .relaxed)
    thread.store(currentThread(), ordering: .relaxed)
    // Jobs captured for an enclosing call are set aside.
    let outer = keepsAny.load(ordering: .relaxed) ? take() : nil
    body()
    let inner = keepsAny.load(ordering: .relaxed) ? take() : nil
    if let outer {
      kept.withLock { $0 = outer }
      keepsAny.store(true, ordering: .relaxed)
    }
    thread.store(outerThread, ordering: .relaxed)
    return inner
  }

  private func take() -> Jobs? {
    keepsAny.store(false, ordering: .relaxed)
    return kept.withLock { $0.take() }
  }

  /// Closes the open gate for the calling thread, until `reopen()`.
  func close() { thread.store(currentThread(), ordering: .relaxed) }

  /// Opens the gate again.
  ///
  /// - Returns: the captured jobs, in order.
  func reopen() -> Jobs? {
    thread.store(0, ordering: .relaxed)
    return keepsAny.load(ordering: .relaxed) ? take() : nil
  }

  /// Runs a closure with the gate open.
  func open(_ body: () -> Void) {
    let outer = thread.load(ordering: .relaxed)
    thread.store(0, ordering: .relaxed)
    body()
    thread.store(outer, ordering: .relaxed)
  }
}

/// Starts the work that runs on the tree, in one job of the tree's actor.
///
/// A task that is enqueued in the usual way takes its first step several jobs later: a closure with a capture list
/// leaves the actor's isolation first and returns through its executor (Swift 6.3). Jobs enqueued meanwhile run in
/// between, and one of them may end the scope. So the starter captures the first job of each task, starts all captured
/// jobs in one job of the actor, and runs at once what a task enqueues before its first step. Nothing else runs between
/// the check that the scope is active and the first step. The further steps of a workflow begin in the same way.
///
/// From the request of a task to its operation, the calls are:
/// 1. `BoundTask.start` creates the Swift task with `make(_:)`. `JobGate.keeping` captures its first job, which
///    `HomeExecutor.enqueue` would run otherwise. `start(_:)` schedules the job.
/// 2. In a job of the actor, `startReady()` runs the captured jobs, each with `run(_:)`.
/// 3. `TreeTask.execute` records the step with `willStep(of:)`, begins the work unless its scope has ended, and calls the
///    operation.
final class TaskStarter: TreeConfined {
  let executor: any HomeTaskExecutor
  private let gate: JobGate
  private weak var actor: (any Actor)?
  /// The actor's executor. All jobs here run on the actor, which therefore exists.
  private let serial: UnownedSerialExecutor
  private var ready: [UnownedJob] = []
  private var isScheduled = false
  /// The progress of the task that the starter runs; nil while it runs none.
  private var progress: Progress?
  private let activity: TreeActivity
  private let turns: TurnMonitor?

  /// The progress of a task from the check of its scope to its step.
  private enum Progress {
    /// It has yet to check its scope. The gate is closed.
    case checking
    /// It has found its scope active. Its step has begun, or begins with the next job. The gate is closed.
    case checked
    /// A job that began the step runs. The gate is open.
    case stepping
  }

  init(
    on actor: any Actor, _ executor: any HomeTaskExecutor, _ activity: TreeActivity, _ turns: TurnMonitor? = nil
  ) {
    self.actor = actor
    serial = actor.unownedExecutor
    self.executor = executor
    gate = executor.gate
    self.activity = activity
    self.turns = turns
  }

  /// Creates a Swift task without starting it.
  ///
  /// - Returns: the task, and its first job. The caller must pass the job to `start(_:)` at some time.
  func make(_ make: (any TaskExecutor) -> BoundTask.Handle) -> (task: BoundTask.Handle?, job: UnownedJob?) {
    var task: BoundTask.Handle?
    let kept = gate.keeping { task = make(executor) }
    return (task, kept?.first)
  }

  /// Schedules the start of a Swift task.
  func start(_ job: UnownedJob) {
    ready.append(job)
    guard !isScheduled, let actor else { return }
    isScheduled = true
    let box = IsolationBox(self)
    gate.open {
      _ = Task(executorPreference: executor) {
        await actor.with(box) { (starter: TaskStarter) in starter.startReady() }
      }
    }
  }

  /// Runs a closure that starts a task at the end of a job of the actor, and then starts what is ready in that job, in
  /// place of another one. While the starter runs a task, whose turn this would be part of, it schedules the start.
  func startAtOnce<Result>(_ body: () -> Result) -> Result {
    guard progress == nil else { return body() }
    isScheduled = true
    let result = body()
    startReady()
    return result
  }

  /// Starts all scheduled tasks. Called on the actor.
  func startReady() {
    isScheduled = false
    var jobs: [UnownedJob] = []
    swap(&jobs, &ready)
    for job in jobs { run(job) }
    // Keeps the memory for the next turn, unless it is that of a burst.
    guard ready.isEmpty, jobs.count <= 64 else { return }
    jobs.removeAll(keepingCapacity: true)
    swap(&jobs, &ready)
  }

  /// Records that the running task has found its scope active. Its next job runs at once.
  func didCheck() { if progress == .checking { progress = .checked } }

  /// Records that the running task has found its scope active, and the code of its step.
  func willStep(of origin: TaskOrigin) {
    didCheck()
    activity.enter(.step, origin.fileID, origin.line)
  }

  /// Runs a job, and then the jobs that its task enqueues, until the task has checked its scope and taken its step. A
  /// task returns to the actor with one job; a step that has left the actor before begins with another. A task that
  /// continues in turn then checks again.
  private func run(_ job: UnownedJob) {
    let home = executor.asUnownedTaskExecutor()
    // Read while the job exists. Observers that run meanwhile may enqueue jobs of other tasks.
    let task = job.taskNumber
    let isMeasured = turns?.beginStep(of: task) ?? false
    let outer = activity.position
    defer {
      progress = nil
      activity.leave(to: outer)
      if isMeasured { turns?.end() }
    }
    progress = .checking
    var next: UnownedJob? = job
    while let job = next {
      if progress == .checked {
        progress = .stepping
        job.runSynchronously(isolatedTo: serial, taskExecutor: home)
        // Otherwise the task has continued in turn, which closes the gate.
        if progress == .stepping { return }
        next = nextJob(of: task, among: gate.reopen())
      } else {
        next = step(job, of: task, home)
      }
    }
  }

  /// Runs a job, and enqueues the jobs of other tasks that it has created.
  ///
  /// - Returns: the next job of its task, if there is one.
  @inline(__always)
  private func step(_ job: UnownedJob, of task: Int, _ home: UnownedTaskExecutor) -> UnownedJob? {
    nextJob(
      of: task, among: gate.keeping { job.runSynchronously(isolatedTo: serial, taskExecutor: home) })
  }

  /// Enqueues the captured jobs of other tasks.
  ///
  /// - Returns: the next job of a task, if it was captured.
  @inline(__always)
  private func nextJob(of task: Int, among captured: JobGate.Jobs?) -> UnownedJob? {
    guard let captured else { return nil }
    var next = captured.first.taskNumber == task ? captured.first : nil
    if next == nil { executor.enqueue(ExecutorJob(captured.first)) }
    for job in captured.others {
      if next == nil, job.taskNumber == task { next = job } else { executor.enqueue(ExecutorJob(job)) }
    }
    return next
  }

  /// Runs the first job of a task that only leaves the actor's isolation before its code, and then that code.
  func runAtOnce(_ job: UnownedJob) {
    let home = executor.asUnownedTaskExecutor()
    let next = step(job, of: job.taskNumber, home)
    next?.runSynchronously(isolatedTo: serial, taskExecutor: home)
  }

  // MARK: Later steps

  /// Makes the next step of the calling task run right after what the caller checks, as the first step of a task does.
  ///
  /// A task that the starter runs just continues. One that the Swift runtime has resumed is suspended, and resumed by the
  /// starter.
  nonisolated(nonsending) func continueInTurn() async {
    if let progress {
      if progress == .stepping { gate.close() }
      self.progress = .checking
      return
    }
    guard let actor else { return }
    await TaskStarter.suspend(IsolationBox(self), on: actor, executor)
  }

  /// Not isolated, so that the task resumes through the executor rather than the actor.
  @concurrent
  private static func suspend(_ box: IsolationBox, on actor: any Actor, _ executor: any HomeTaskExecutor) async {
    await withCheckedContinuation { continuation in
      executor.gate.open {
        _ = Task(executorPreference: executor) {
          await actor.with(box) { (starter: TaskStarter) in starter.resume(continuation) }
        }
      }
    }
  }

  /// Resumes a task that waits in `continueInTurn()`. Called on the actor.
  func resume(_ continuation: CheckedContinuation<Void, Never>) {
    if let kept = gate.keeping({ continuation.resume() }) { run(kept.first) }
  }
}
