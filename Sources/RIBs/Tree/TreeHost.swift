internal import Synchronization

/// Owns a tree of RIBs on a dedicated actor. A server uses one host for each user's tree.
///
/// The tree is built on its actor and never leaves it. Hosts run in parallel on all cores. Code outside sends closures
/// to the tree and receives `Sendable` values:
///
/// ```swift
/// let session = await TreeHost { RootBuilder(dependency: AppComponent()).build() }
/// print(try await session.perform { root in root.interactor.total })
/// await session.shutdown(timeout: .seconds(5))
/// ```
///
/// When the last reference to a host is released, its tree ends soon after, on the tree's actor, even if work is still
/// running in it. An object of the tree that holds a strong reference to the tree's host creates a reference cycle:
/// such a tree ends only if it is shut down.
public final class TreeHost<Root>: Sendable {
  @usableFromInline let home: TreeActor
  private let configuration: TreeConfiguration
  private let activity = TreeActivity()
  private let isShutDown = Atomic(false)

  private init(_ configuration: TreeConfiguration) {
    self.configuration = configuration
    home = TreeActor(activity)
  }

  deinit {
    guard !isShutDown.load(ordering: .relaxed) else { return }
    Task.detached { [home] in await home.shutdown(timeout: nil, caller: nil) }
  }

  /// Runs a closure on the tree.
  ///
  /// - Parameter body: receives the root router, and returns the values that leave the tree. It runs without
  ///   interruption.
  /// - Returns: the closure's result.
  /// - Throws: the closure's error; `TreeEnded` if the tree had ended before; the `Misuse` if the launch was refused.
  @inlinable
  public nonisolated(nonsending) func perform<Value: Sendable>(_ body: @Sendable (Root) throws -> Value) async throws
    -> Value
  {
    try await home.perform(body)
  }

  /// Takes a snapshot of the tree; without RIBs once the tree has ended.
  public func snapshot() async -> TreeSnapshot { await home.snapshot() }

  /// Ends the tree and waits for its bound work.
  ///
  /// - Parameter timeout: how long to wait, on the tree's clock, for work that ignores its cancellation. Cancelling the
  ///   calling task does not shorten this wait. Without a timeout, the call waits until all work has ended or the
  ///   calling task is cancelled. A call, a callback or bound work that blocks the tree can't be interrupted: this
  ///   returns at the timeout, and `ShutdownReport.busy` names the tree.
  /// - Returns: the work that was still running when the wait ended, by the path of its RIB, excluding the work that
  ///   calls this.
  @discardableResult
  public func shutdown(timeout: Duration? = nil) async -> ShutdownReport {
    isShutDown.store(true, ordering: .relaxed)
    let caller = callingTask()
    guard let timeout else { return await home.shutdown(timeout: nil, caller: caller) }
    return await ShutdownLimit(timeout, configuration, activity).shutDown(home, caller: caller)
  }
}

extension TreeHost where Root: Routing {
  /// Builds a tree on a dedicated actor and launches it.
  ///
  /// If the launch is refused, for example because the router is already the root of another tree, the refusal is
  /// reported as misuse, and each `perform` throws it.
  ///
  /// - Parameters:
  ///   - configuration: the configuration of the tree.
  ///   - build: creates the root router, on the tree's actor.
  /// - Throws: the closure's error.
  public convenience init<Failure: Error>(
    configuration: TreeConfiguration = TreeConfiguration(), build: @escaping @Sendable () throws(Failure) -> Root
  ) async throws(Failure) {
    self.init(configuration)
    try await home.build(configuration, build)
  }

  /// Builds a tree with an asynchronous closure, and launches it on a dedicated actor.
  ///
  /// - Parameters:
  ///   - configuration: the configuration of the tree.
  ///   - build: creates the root router, off the tree's actor, and keeps no reference to it.
  /// - Throws: the closure's error.
  public convenience init<Failure: Error>(
    configuration: TreeConfiguration = TreeConfiguration(),
    build: @escaping @Sendable () async throws(Failure) -> sending Root
  ) async throws(Failure) {
    self.init(configuration)
    let root = try await build()
    await home.launch(root, configuration)
  }
}

extension TreeHost where Root == any LaunchRouting {
  /// Builds a tree on a dedicated actor and launches it, from a builder that returns its router as `any LaunchRouting`.
  ///
  /// If the launch is refused, for example because the router is already the root of another tree, the refusal is
  /// reported as misuse, and each `perform` throws it.
  ///
  /// - Parameters:
  ///   - configuration: the configuration of the tree.
  ///   - build: creates the root router, on the tree's actor.
  /// - Throws: the closure's error.
  public convenience init<Failure: Error>(
    configuration: TreeConfiguration = TreeConfiguration(),
    build: @escaping @Sendable () throws(Failure) -> any LaunchRouting
  ) async throws(Failure) {
    self.init(configuration)
    try await home.build(configuration, build)
  }

  /// Builds a tree with an asynchronous closure, and launches it on a dedicated actor, from a builder that returns its
  /// router as `any LaunchRouting`.
  ///
  /// - Parameters:
  ///   - configuration: the configuration of the tree.
  ///   - build: creates the root router, off the tree's actor, and keeps no reference to it.
  /// - Throws: the closure's error.
  public convenience init<Failure: Error>(
    configuration: TreeConfiguration = TreeConfiguration(),
    build: @escaping @Sendable () async throws(Failure) -> sending any LaunchRouting
  ) async throws(Failure) {
    self.init(configuration)
    let root = try await build()
    await home.launch(root, configuration)
  }
}

extension TreeHost {
  /// Unavailable: explains the required type of the root in a compiler error.
  @available(*, unavailable, message: "The root of a tree is a router: return a Router, or any LaunchRouting.")
  @_disfavoredOverload
  public convenience init(
    configuration: TreeConfiguration = TreeConfiguration(), build: @escaping @Sendable () -> Root
  ) async {
    self.init(configuration)
  }
}

/// The tree has ended, so the call was not made.
public struct TreeEnded: Error, CustomStringConvertible {
  @inlinable
  init() {}

  public var description: String { "The tree has ended. Launch a new one, or stop calling when it is shut down." }
}

/// A tree host with any root type, for code that keeps hosts of several types.
public protocol TreeHosting: Sendable {
  /// Takes a snapshot of the tree; without RIBs once the tree has ended.
  func snapshot() async -> TreeSnapshot

  /// Ends the tree and waits for its bound work; see `TreeHost.shutdown(timeout:)`.
  func shutdown(timeout: Duration?) async -> ShutdownReport
}

extension TreeHost: TreeHosting {}

extension Sequence where Element: TreeHosting {
  /// Ends the trees of many hosts concurrently, and waits for their bound work.
  ///
  /// ```swift
  /// let reports = await sessions.values.shutdown(timeout: .seconds(5))
  /// for stuck in reports.flatMap(\.unfinishedTasks) { print(stuck) }
  /// ```
  ///
  /// Each tree ends as with `TreeHost.shutdown(timeout:)`: its RIBs resign, children first, then the call waits for its
  /// work. A tree that does not end delays no other.
  ///
  /// - Parameter timeout: how long to wait for the work of each tree, on that tree's clock, after its RIBs have
  ///   resigned. Cancelling the calling task does not shorten this wait. Without a timeout, the call waits until all
  ///   work has ended or the calling task is cancelled.
  /// - Returns: a report for each host, in the order of the hosts.
  @discardableResult
  public func shutdown(timeout: Duration? = nil) async -> [ShutdownReport] {
    await shutDown(Array(self), timeout: timeout)
  }
}

extension Sequence where Element == any TreeHosting {
  /// Ends the trees of many hosts with roots of several types concurrently, and waits for their bound work; see the
  /// form for hosts of one type.
  @discardableResult
  public func shutdown(timeout: Duration? = nil) async -> [ShutdownReport] {
    await shutDown(Array(self), timeout: timeout)
  }
}

private func shutDown(_ hosts: [any TreeHosting], timeout: Duration?) async -> [ShutdownReport] {
  await withTaskGroup(of: (Int, ShutdownReport).self) { group in
    for (index, host) in hosts.enumerated() {
      group.addTask {
        // Not in the tuple: Swift 6.3.1 corrupts the other element in optimized code that throws.
        let report = await host.shutdown(timeout: timeout)
        return (index, report)
      }
    }
    var reports = [ShutdownReport?](repeating: nil, count: hosts.count)
    for await (index, report) in group { reports[index] = report }
    return reports.compactMap(\.self)
  }
}
