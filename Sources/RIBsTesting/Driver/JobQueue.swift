// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

/// A FIFO queue of jobs that run on the thread that calls `run(_:)`.
final class JobQueue: Sendable {
  /// Where a job runs.
  enum Place {
    /// On the tree, isolated to its actor.
    case home
    /// Off the tree: off-tree work and the actors it calls.
    case offTree
  }

  /// A reason why a test may not be deterministic.
  enum Problem {
    /// The job limit was reached, so the tree probably never becomes idle.
    case unsettled
    /// A job was enqueued by a caller that the test does not drive.
    case undriven
  }

  private struct State {
    /// The number of jobs after which a run is reported as never ending.
    var limit = 100_000
    var jobs: [(job: UnownedJob, place: Place)] = []
    /// The number of jobs at the start of `jobs` that have been run.
    var done = 0
    /// The thread that runs jobs, and where the current job runs.
    var running: (thread: ObjectIdentifier, place: Place)?
    /// The last caller of `run(_:)`.
    var owner: Caller
    /// Other callers that have enqueued jobs since the last run.
    var otherCallers: Set<Caller> = []
    var problems: Set<Problem> = []
    /// Resumed when a job is enqueued.
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Locked(State(owner: .current))
  /// Whether the test is running a job of another queue on the calling thread.
  private let isDriven: @Sendable () -> Bool

  init(isDriven: @escaping @Sendable () -> Bool) { self.isDriven = isDriven }

  /// The number of jobs after which a run is reported as never ending.
  var limit: Int {
    get { state.withLock { $0.limit } }
    set { state.withLock { $0.limit = newValue } }
  }

  /// Whether tree-isolated code may run here: false on another thread while the tree runs, and in off-tree work.
  var isHome: Bool {
    let thread = Caller.currentThread
    return state.withLock { state in
      guard let running = state.running else { return true }
      return running.thread == thread && running.place == .home
    }
  }

  /// Whether this queue is running a job on the calling thread.
  var isRunning: Bool {
    let thread = Caller.currentThread
    return state.withLock { $0.running?.thread == thread }
  }

  func add(_ job: UnownedJob, _ place: Place) {
    let (caller, thread) = (Caller.current, Caller.currentThread)
    // Rarely: it looks at the other queues, for which this one is not locked.
    let isForeign = state.withLock { $0.running == nil && $0.owner != caller } && !isDriven()
    state.withLock { state in
      state.jobs.append((job, place))
      if let running = state.running {
        if running.thread != thread { state.problems.insert(.undriven) }
      } else if isForeign {
        state.otherCallers.insert(caller)
      }
    }
    resumeWaiters()
  }

  /// Ends all calls of `waitForJob()`.
  func resumeWaiters() {
    let waiters = state.withLock { state in
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Runs jobs until none is left, including jobs enqueued meanwhile. Does nothing when called by a job.
  ///
  /// - Parameter rounds: the number of runs before, each of which has run a job.
  /// - Returns: whether any job was run and none is left, so that jobs of other drivers may be ready.
  func run(after rounds: Int, _ run: (UnownedJob, Place) -> Void) -> Bool {
    let (caller, thread) = (Caller.current, Caller.currentThread)
    let isFree = state.withLock { state in
      guard state.running == nil else { return false }
      state.running = (thread, .home)
      // The first caller may have enqueued jobs before.
      state.otherCallers.remove(caller)
      if !state.otherCallers.isEmpty { state.problems.insert(.undriven) }
      state.otherCallers = []
      state.owner = caller
      return true
    }
    guard isFree else { return false }
    let limit = limit
    var count = rounds
    while count < limit, let (job, place) = next() {
      run(job, place)
      count += 1
    }
    return state.withLock { state in
      let isIdle = state.done == state.jobs.count
      if !isIdle { state.problems.insert(.unsettled) }
      state.running = nil
      return isIdle && count > rounds
    }
  }

  /// Returns and clears the problems found since the last call.
  func takeProblems() -> Set<Problem> {
    state.withLock { state in
      defer { state.problems = [] }
      return state.problems
    }
  }

  private func next() -> (UnownedJob, Place)? {
    state.withLock { state in
      guard state.done < state.jobs.count else {
        state.jobs = []
        state.done = 0
        return nil
      }
      let next = state.jobs[state.done]
      state.done += 1
      state.running?.place = next.place
      return next
    }
  }

  /// Returns when a job is enqueued; at once if there is one.
  ///
  /// - Returns: false if the waiting task was cancelled first.
  nonisolated(nonsending) func waitForJob() async -> Bool {
    await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        let isNeeded = state.withLock { state in
          guard state.jobs.isEmpty, !Task.isCancelled else { return false }
          state.waiters.append(waiter)
          return true
        }
        if !isNeeded { waiter.resume() }
      }
      return !Task.isCancelled
    } onCancel: {
      resumeWaiters()
    }
  }
}
