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
  private let line: JobLine?

  /// Creates an executor, and starts its thread.
  public init() { line = JobLine() }

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
