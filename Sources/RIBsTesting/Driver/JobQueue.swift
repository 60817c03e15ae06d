internal import RIBs

/// Keeps jobs until a test runs them: one after the other, in the order in which they came, on the thread that asks.
final class JobQueue: Sendable {
  /// Where a job believes to be.
  enum Place {
    /// On the tree, isolated to its actor.
    case home
    /// Beside the tree: work that has left it, and the actors that it calls.
    case away
  }

  /// What keeps a test from taking the same course each time.
  enum Trouble {
    /// So many jobs were run that no end is to be expected.
    case restless
    /// A job was brought by somebody whom the test does not drive.
    case disturbed
  }

  private struct State {
    /// How many jobs are run before it is said that they do not end.
    var limit = 100_000
    var jobs: [(job: UnownedJob, place: Place)] = []
    /// How many of these have been run.
    var done = 0
    /// The thread that runs jobs, and where the job at hand believes to be.
    var running: (thread: ObjectIdentifier, place: Place)?
    /// Who ran jobs last.
    var owner: Caller
    /// Who else has brought jobs since.
    var strangers: Set<Caller> = []
    var troubles: Set<Trouble> = []
    /// Waits for a job to come.
    var waiter: CheckedContinuation<Void, Never>?
  }

  private let state = Locked(State(owner: .current))

  init() {}

  /// How many jobs are run before it is said that they do not end.
  var limit: Int {
    get { state.withLock { $0.limit } }
    set { state.withLock { $0.limit = newValue } }
  }

  /// Whether code of the tree may run where this is called: not on another thread while the tree runs, and not in work
  /// that has left the tree.
  var isHome: Bool {
    let thread = Caller.currentThread
    return state.withLock { state in
      guard let running = state.running else { return true }
      return running.thread == thread && running.place == .home
    }
  }

  /// Whether this runs a job just now on the calling thread.
  var isRunning: Bool {
    let thread = Caller.currentThread
    return state.withLock { $0.running?.thread == thread }
  }

  func add(_ job: UnownedJob, _ place: Place) {
    let (caller, thread) = (Caller.current, Caller.currentThread)
    let waiter = state.withLock { state in
      state.jobs.append((job, place))
      if let running = state.running {
        if running.thread != thread { state.troubles.insert(.disturbed) }
      } else if caller != state.owner {
        state.strangers.insert(caller)
      }
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume()
  }

  /// Runs jobs until none is left, those included that come meanwhile. Does nothing when called by a job.
  ///
  /// - Returns: whether there were any, and others may have something to do now.
  func run(_ run: (UnownedJob, Place) -> Void) -> Bool {
    let (caller, thread) = (Caller.current, Caller.currentThread)
    let isFree = state.withLock { state in
      guard state.running == nil else { return false }
      state.running = (thread, .home)
      // Whoever runs jobs for the first time may have brought some before.
      state.strangers.remove(caller)
      if !state.strangers.isEmpty { state.troubles.insert(.disturbed) }
      state.strangers = []
      state.owner = caller
      return true
    }
    guard isFree else { return false }
    let limit = limit
    var count = 0
    while count < limit, let (job, place) = next() {
      run(job, place)
      count += 1
    }
    return state.withLock { state in
      let isAtRest = state.jobs.isEmpty
      if !isAtRest { state.troubles.insert(.restless) }
      state.running = nil
      return isAtRest && count > 0
    }
  }

  /// What has troubled the test since this was last asked.
  func takeTroubles() -> Set<Trouble> {
    state.withLock { state in
      defer { state.troubles = [] }
      return state.troubles
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

  /// Returns when there is a job to run; at once if there is.
  ///
  /// - Returns: false if the waiting task was cancelled first.
  nonisolated(nonsending) func waitForJob() async -> Bool {
    await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        let isNeeded = state.withLock { state in
          guard state.jobs.isEmpty, !Task.isCancelled else { return false }
          state.waiter = waiter
          return true
        }
        if !isNeeded { waiter.resume() }
      }
      return !Task.isCancelled
    } onCancel: {
      let waiter = state.withLock { state in
        defer { state.waiter = nil }
        return state.waiter
      }
      waiter?.resume()
    }
  }
}
