#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#endif

/// Runs trees, one step of one of them at a time, on a thread of its own.
///
/// A server makes as many as it has cores, and gives each tree one of them. What belongs to a tree then stays in the
/// cache of one core, and going on after an `await` costs little, where all cores share the queue of Swift's global
/// executor:
///
/// ```swift
/// func serve(user: Int, on executors: [TreeExecutor]) async throws {
///   let executor = executors[user % executors.count]
///   try await withTaskExecutorPreference(executor) {
///     let session = await TreeHost(configuration: TreeConfiguration(executor: executor)) {
///       RootBuilder(dependency: AppComponent()).build()
///     }
///     print(try await session.perform { root in root.interactor.total })
///     await session.shutdown()
///   }
/// }
/// ```
///
/// The tasks that call a tree should prefer its executor, as here: whoever calls a tree that is idle runs it. An executor
/// runs what it is handed in the order in which it comes, whatever its priority. What blocks the thread holds up all of
/// its trees, as with an event loop; such work belongs in `run`, which leaves the tree.
///
/// An executor is kept by what it has to run; its thread ends soon after it is gone. The thread gets no signals that are
/// meant for the process. Where the system gives none, the global executor runs what is handed in.
public final class TreeExecutor: TaskExecutor {
  /// Nil where there is no thread.
  private let line: SerialThreadQueue?

  /// Creates an executor, and starts its thread.
  public init() { line = SerialThreadQueue() }

  deinit { line?.close() }

  /// Has a job run after all that came before it. Called by Swift for the tasks that prefer this executor, and by trees
  /// that were given it; from any thread.
  ///
  /// - Complexity: O(1), amortised.
  public func enqueue(_ job: consuming ExecutorJob) {
    guard let line else { return globalConcurrentExecutor.enqueue(job) }
    line.append(UnownedJob(job), for: self)
  }
}

/// Jobs that wait for a thread, which serves this line alone.
final class SerialThreadQueue: Sendable {
  private struct State {
    var jobs: [UnownedJob] = []
    /// The executor that the jobs were handed to, retained; nil while the thread is idle.
    var executor: Unmanaged<TreeExecutor>?
    var isClosed = false
  }

  private enum Turn {
    case run(on: Unmanaged<TreeExecutor>)
    case letGo(of: Unmanaged<TreeExecutor>)
    case wait
    case end
  }

  private let state = Locked(State())
  private let idle = ThreadSignal()

  /// Creates a line, and the thread that serves it until it is closed; nil if the system gives none.
  init?() {
    let line = Unmanaged.passRetained(self)
    let isStarted = SerialThreadQueue.withoutSignals {
      #if canImport(Darwin)
        var thread: pthread_t?
      #else
        var thread = pthread_t()
      #endif
      return pthread_create(&thread, nil, { SerialThreadQueue.serve($0) }, line.toOpaque()) == 0
    }
    guard isStarted else {
      line.release()
      idle.remove()
      return nil
    }
  }

  /// Starts a thread that leaves the signals which the process gets to its other threads, as those of Dispatch do.
  private static func withoutSignals(_ start: () -> Bool) -> Bool {
    var (signals, usual) = (sigset_t(), sigset_t())
    sigfillset(&signals)
    // What a thread does wrong itself stays its own.
    for own in [SIGILL, SIGTRAP, SIGFPE, SIGBUS, SIGSEGV, SIGSYS] { sigdelset(&signals, own) }
    pthread_sigmask(SIG_SETMASK, &signals, &usual)
    defer { pthread_sigmask(SIG_SETMASK, &usual, nil) }
    return start()
  }

  /// What the thread does.
  private static func serve(_ line: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    // Nobody waits for its end.
    pthread_detach(pthread_self())
    if let line { Unmanaged<SerialThreadQueue>.fromOpaque(line).takeRetainedValue().serve() }
    return nil
  }

  /// Adds a job, from any thread.
  ///
  /// - Parameter executor: whom it was handed to, which is kept until there is nothing left to run.
  func append(_ job: UnownedJob, for executor: TreeExecutor) {
    state.withLock { state in
      state.jobs.append(job)
      guard state.executor == nil else { return }
      state.executor = .passRetained(executor)
      // Under the lock, because the thread may be awake still: it would run the job, which may be what keeps all of
      // this, and remove the signal.
      idle.wake()
    }
  }

  /// Lets the thread end. Nothing may be added any more.
  func close() {
    state.withLock { state in
      state.isClosed = true
      idle.wake()
    }
  }

  /// Runs jobs until this is closed.
  private func serve() {
    var jobs: [UnownedJob] = []
    while true {
      switch nextTurn(&jobs) {
      case .run(let executor):
        let executor = executor._withUnsafeGuaranteedRef { $0.asUnownedTaskExecutor() }
        for job in jobs { job.runSynchronously(on: executor) }
        // The memory of a burst is not kept for ever.
        jobs.removeAll(keepingCapacity: jobs.count <= 1_024)
      // Outside the lock, because it may close this.
      case .letGo(let executor): executor.release()
      case .wait: idle.wait()
      case .end: return idle.remove()
      }
    }
  }

  /// - Parameter jobs: without elements; exchanged for the jobs in line.
  private func nextTurn(_ jobs: inout [UnownedJob]) -> Turn {
    state.withLock { state in
      swap(&state.jobs, &jobs)
      guard let executor = state.executor else { return state.isClosed ? .end : .wait }
      if !jobs.isEmpty { return .run(on: executor) }
      state.executor = nil
      return .letGo(of: executor)
    }
  }
}
