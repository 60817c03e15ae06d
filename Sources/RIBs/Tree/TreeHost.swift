internal import Synchronization

/// Owns a tree of RIBs on an actor of its own: the handle by which a server keeps one tree for each of many users.
///
/// The tree is built inside, and never leaves; hosts run in parallel on all cores. From outside, closures are sent in
/// and `Sendable` values come back:
///
/// ```swift
/// let session = await TreeHost { RootBuilder(dependency: AppComponent()).build() }
/// let total = try await session.perform { root in root.interactor.total }
/// await session.shutdown(deadline: .seconds(5))
/// ```
///
/// When the last reference to a host is dropped, its tree ends soon after, on its own actor, whatever still runs in it.
public final class TreeHost<Root>: Sendable {
  private let home: Home
  private let isShutDown = Atomic(false)

  /// Builds a tree on an actor of its own and launches it.
  ///
  /// - Parameters:
  ///   - configuration: how the tree is run.
  ///   - build: makes the root router, on the tree's actor.
  public init(
    configuration: TreeConfiguration = TreeConfiguration(), build: @escaping @Sendable () -> Root
  ) async {
    home = Home()
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
  public func perform<Value: Sendable>(_ body: @Sendable (Root) throws -> Value) async throws -> Value {
    try await home.perform(body)
  }

  /// The tree as it stands; without RIBs once it has ended.
  public func snapshot() async -> TreeSnapshot { await home.snapshot() }

  /// Ends the tree and waits for its bound work.
  ///
  /// - Parameter deadline: how long to wait, on the tree's clock, for work that does not heed its cancellation; without
  ///   one, as long as it takes.
  /// - Returns: what was still running when the wait was over, by the path of its RIB.
  @discardableResult
  public func shutdown(deadline: Duration? = nil) async -> ShutdownReport {
    isShutDown.store(true, ordering: .relaxed)
    return await home.shutdown(deadline: deadline)
  }

  /// The actor that the tree lives on. Running tasks hold this and not the host, so that the host can go before them.
  private actor Home {
    private var root: Root?
    private var tree: Tree?

    func launch(_ configuration: TreeConfiguration, _ build: @Sendable () -> Root) {
      let root = build()
      guard let router = (root as? RouterNode) ?? (root as? any Routing) else {
        MisuseHandling.report(
          .notARouter(String(describing: type(of: root))), path: TreePath(), to: configuration.onMisuse)
        return
      }
      let tree = Tree(root: router, configuration: configuration)
      guard tree.launch() else { return }
      self.root = root
      self.tree = tree
    }

    func perform<Value: Sendable>(_ body: @Sendable (Root) throws -> Value) throws -> Value {
      guard let root, let tree, tree.isActive else { throw TreeEnded() }
      return try body(root)
    }

    func snapshot() -> TreeSnapshot { tree?.snapshot() ?? TreeSnapshot(nodes: []) }

    func shutdown(deadline: Duration?) async -> ShutdownReport {
      guard let tree else { return ShutdownReport(stuck: []) }
      let report = await tree.shutdown(deadline: deadline)
      // Released here, while this actor runs: user code may look at its isolation when it is released.
      root = nil
      self.tree = nil
      return report
    }
  }
}

/// The tree that was to be used has ended.
public struct TreeEnded: Error, CustomStringConvertible {
  public var description: String { "The tree has ended. Launch a new one, or stop calling when it is shut down." }
}
