internal import Synchronization

/// Owns a tree of RIBs on an actor of its own: the handle by which a server keeps one tree for each of many users.
///
/// The tree is built inside, and never leaves; hosts run in parallel on all cores. From outside, closures are sent in
/// and `Sendable` values come back:
///
/// ```swift
/// let session = await TreeHost { RootBuilder(dependency: AppComponent()).build() }
/// print(try await session.perform { root in root.interactor.total })
/// await session.shutdown(deadline: .seconds(5))
/// ```
///
/// When the last reference to a host is dropped, its tree ends soon after, on its own actor, whatever still runs in it.
public final class TreeHost<Root>: Sendable {
  @usableFromInline let home: TreeHome
  private let isShutDown = Atomic(false)

  /// Builds a tree on an actor of its own and launches it.
  ///
  /// - Parameters:
  ///   - configuration: how the tree is run.
  ///   - build: makes the root router, on the tree's actor.
  public init(
    configuration: TreeConfiguration = TreeConfiguration(), build: @escaping @Sendable () -> Root
  ) async {
    home = TreeHome()
    await home.launch(configuration, build)
  }

  deinit {
    guard !isShutDown.load(ordering: .relaxed) else { return }
    Task.detached { [home] in await home.shutdown(deadline: nil) }
  }

  /// Runs a closure on the tree.
  ///
  /// - Parameter body: receives the root router, and returns what is to leave the tree. It runs without interruption.
  /// - Returns: what the closure returned.
  /// - Throws: what the closure threw, or `TreeEnded` when the tree had ended before.
  @inlinable
  public nonisolated(nonsending) func perform<Value: Sendable>(_ body: @Sendable (Root) throws -> Value) async throws
    -> Value
  {
    try await home.perform(body)
  }

  /// The tree as it stands; without RIBs once it has ended.
  public func snapshot() async -> TreeSnapshot { await home.snapshot() }

  /// Ends the tree and waits for its bound work.
  ///
  /// - Parameter deadline: how long to wait, on the tree's clock, for work that does not heed its cancellation. The wait is
  ///   not cut short by the cancellation of the calling task. Without a deadline it takes as long as it takes, or until the
  ///   calling task is cancelled.
  /// - Returns: what was still running when the wait was over, by the path of its RIB.
  @discardableResult
  public func shutdown(deadline: Duration? = nil) async -> ShutdownReport {
    isShutDown.store(true, ordering: .relaxed)
    return await home.shutdown(deadline: deadline)
  }
}

/// The tree that was to be used has ended.
public struct TreeEnded: Error, CustomStringConvertible {
  @inlinable
  init() {}

  public var description: String { "The tree has ended. Launch a new one, or stop calling when it is shut down." }
}
