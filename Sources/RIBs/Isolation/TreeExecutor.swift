#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#endif
internal import Synchronization

/// Runs trees on a dedicated thread, one step of one tree at a time.
///
/// `TreeExecutor.Pool` creates one for each core. Create one for trees that should share a thread of their own:
///
/// ```swift
/// let thread = TreeExecutor()
/// let session = await TreeHost(configuration: TreeConfiguration(threads: .executor(thread))) {
///   RootBuilder(dependency: AppComponent()).build()
/// }
/// print(session.isActive)
/// ```
///
/// An executor runs its jobs in FIFO order and ignores their priority. A job that blocks the thread blocks all of its
/// trees, as with an event loop; such work belongs in `run`, which leaves the tree.
///
/// Enqueued jobs retain the executor. Its thread ends soon after the executor is released, and receives no signals that
/// are sent to the process. If the system can't create a thread, the jobs run on the global executor.
public final class TreeExecutor: TaskExecutor {
  /// Nil if the system could not create a thread.
  private let queue: SerialThreadQueue?

  /// Creates an executor, and starts its thread.
  public init() { queue = SerialThreadQueue() }

  deinit { queue?.close() }

  /// Enqueues a job behind all earlier ones. Called by Swift for the tasks that prefer this executor, and by the trees
  /// configured with it, from any thread.
  ///
  /// - Complexity: amortized O(1).
  public func enqueue(_ job: consuming ExecutorJob) {
    guard let queue else { return globalConcurrentExecutor.enqueue(job) }
    queue.append(UnownedJob(job), of: 0, for: self)
  }

  /// Enqueues a job behind all earlier ones.
  ///
  /// - Parameter owner: identifies the tree that the job belongs to.
  func enqueue(_ job: UnownedJob, of owner: UInt) {
    guard let queue else { return globalConcurrentExecutor.enqueue(ExecutorJob(job)) }
    queue.append(job, of: owner, for: self)
  }

  /// Whether a job of a tree runs now.
  func isRunning(jobsOf owner: UInt) -> Bool { queue?.owner.load(ordering: .relaxed) == owner }
}

extension TreeExecutor {
  /// Threads for `TreeConfiguration.Threads.perCore`: one `TreeExecutor` for each core, shared by the trees that are
  /// given this object.
  ///
  /// Create one for all trees of a server, not one for each tree:
  ///
  /// ```swift
  /// let cores = TreeExecutor.Pool()
  /// let session = await TreeHost(configuration: TreeConfiguration(threads: .perCore(cores))) {
  ///   RootBuilder(dependency: AppComponent()).build()
  /// }
  /// print(session.isActive)
  /// ```
  ///
  /// The threads end soon after this object and all its trees are released.
  public final class Pool: Sendable {
    private let executors: [TreeExecutor]
    private let given = Atomic(0)

    /// Creates the executors, and starts their threads.
    public init() {
      let cores = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
      executors = (0..<cores).map { _ in TreeExecutor() }
    }

    /// The executors in turn, so that each has as many trees.
    func next() -> TreeExecutor {
      let number = given.wrappingAdd(1, ordering: .relaxed).oldValue
      return executors[Int(UInt(bitPattern: number) % UInt(executors.count))]
    }
  }
}

/// A FIFO queue of jobs with a thread of its own.
final class SerialThreadQueue: Sendable {
  private struct QueuedJob {
    let job: UnownedJob
    /// Identifies the tree of the job; zero if it is unknown.
    let owner: UInt
  }

  private struct State {
    var jobs: [QueuedJob] = []
    /// The executor of the queued jobs, retained; nil while the thread is idle.
    var executor: Unmanaged<TreeExecutor>?
    var isClosed = false
  }

  private enum Turn {
    case run(on: Unmanaged<TreeExecutor>)
    case release(Unmanaged<TreeExecutor>)
    case wait
    case end
  }

  private let state = Locked(State())
  private let idle = ThreadSignal()
  /// The owner of the running job.
  let owner = Atomic<UInt>(0)

  /// Creates a queue, and the thread that serves it until the queue is closed; nil if the system can't create a thread.
  ///
  /// The thread receives no signals that are sent to the process.
  init?() {
    guard SystemThread.start({ [self] in serve() }) else {
      idle.remove()
      return nil
    }
  }

  /// Adds a job, from any thread.
  ///
  /// - Parameters:
  ///   - owner: identifies the tree of the job; zero if it is unknown.
  ///   - executor: the executor that the job was enqueued on, retained until the queue is empty.
  func append(_ job: UnownedJob, of owner: UInt, for executor: TreeExecutor) {
    state.withLock { state in
      state.jobs.append(QueuedJob(job: job, owner: owner))
      guard state.executor == nil else { return }
      state.executor = .passRetained(executor)
      // Under the lock: otherwise a thread that is still awake could run the job, which may hold the last reference to
      // the executor, and remove the signal.
      idle.wake()
    }
  }

  /// Lets the thread end. No job may be added afterwards.
  func close() {
    state.withLock { state in
      state.isClosed = true
      idle.wake()
    }
  }

  /// Runs jobs until the queue is closed.
  private func serve() {
    var jobs: [QueuedJob] = []
    while true {
      switch nextTurn(&jobs) {
      case .run(let executor):
        let executor = executor._withUnsafeGuaranteedRef { $0.asUnownedTaskExecutor() }
        for queued in jobs {
          owner.store(queued.owner, ordering: .relaxed)
          queued.job.runSynchronously(on: executor)
        }
        owner.store(0, ordering: .relaxed)
        // Frees the memory after a burst.
        jobs.removeAll(keepingCapacity: jobs.count <= 1_024)
      // Outside the lock, because the release may close this queue.
      case .release(let executor): executor.release()
      case .wait: idle.wait()
      case .end: return idle.remove()
      }
    }
  }

  /// - Parameter jobs: empty; swapped with the queued jobs.
  private func nextTurn(_ jobs: inout [QueuedJob]) -> Turn {
    state.withLock { state in
      swap(&state.jobs, &jobs)
      guard let executor = state.executor else { return state.isClosed ? .end : .wait }
      if !jobs.isEmpty { return .run(on: executor) }
      state.executor = nil
      return .release(executor)
    }
  }
}
