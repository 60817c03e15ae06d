internal import Synchronization

/// Owns a tree of RIBs on an actor of its own: the handle by which a server keeps one tree for each of many users.
///
/// The tree is built inside, and never leaves; hosts run in parallel on all cores. From outside, closures are sent in
/// and `Sendable` values come back:
///
/// ```swift
/// let session = await TreeHost { RootBuilder(dependency: AppComponent()).build() }
/// print(try await session.perform { root in root.interactor.total })
/// await session.shutdown(timeout: .seconds(5))
/// ```
///
/// When the last reference to a host is released, its tree ends soon after, on its own actor, whatever still runs in it. An
/// object of the tree that keeps a strong reference to the tree's host is a reference cycle: the tree does not end then
/// unless it is shut down.
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
  /// - Parameter body: receives the root router, and returns what is to leave the tree. It runs without interruption.
  /// - Returns: what the closure returned.
  /// - Throws: what the closure threw; `TreeEnded` when the tree had ended before; the `Misuse` if its launch was refused.
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
  /// - Parameter timeout: how long to wait, on the tree's clock, for work that ignores its cancellation. The wait is
  ///   not cut short by the cancellation of the calling task. Without a timeout it takes as long as it takes, or until the
  ///   calling task is cancelled. A call, a callback or bound work that holds the tree can't be cut short: this returns at
  ///   the limit, and `ShutdownReport.busy` names the tree.
  /// - Returns: what was still running when the wait was over, by the path of its RIB; without the work that calls this.
  @discardableResult
  public func shutdown(timeout: Duration? = nil) async -> ShutdownReport {
    isShutDown.store(true, ordering: .relaxed)
    let caller = callingTask()
    guard let timeout else { return await home.shutdown(timeout: nil, caller: caller) }
    return await ShutdownLimit(timeout, configuration, activity).shutDown(home, caller: caller)
  }
}

extension TreeHost where Root: Routing {
  /// Builds a tree on an actor of its own and launches it.
  ///
  /// If the launch is refused, as when the router is the root of another tree already, that is reported as misuse, and each
  /// `perform` throws it.
  ///
  /// - Parameters:
  ///   - configuration: how the tree is run.
  ///   - build: makes the root router, on the tree's actor.
  /// - Throws: what the closure throws.
  public convenience init<Failure: Error>(
    configuration: TreeConfiguration = TreeConfiguration(), build: @escaping @Sendable () throws(Failure) -> Root
  ) async throws(Failure) {
    self.init(configuration)
    try await home.build(configuration, build)
  }

  /// Builds a tree with a closure that awaits something, and launches it on an actor of its own.
  ///
  /// - Parameters:
  ///   - configuration: how the tree is run.
  ///   - build: makes the root router, beside the tree's actor, and keeps no reference to it.
  /// - Throws: what the closure throws.
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
  /// Builds a tree on an actor of its own and launches it, from a builder that returns its router as `any LaunchRouting`.
  ///
  /// If the launch is refused, as when the router is the root of another tree already, that is reported as misuse, and each
  /// `perform` throws it.
  ///
  /// - Parameters:
  ///   - configuration: how the tree is run.
  ///   - build: makes the root router, on the tree's actor.
  /// - Throws: what the closure throws.
  public convenience init<Failure: Error>(
    configuration: TreeConfiguration = TreeConfiguration(),
    build: @escaping @Sendable () throws(Failure) -> any LaunchRouting
  ) async throws(Failure) {
    self.init(configuration)
    try await home.build(configuration, build)
  }

  /// Builds a tree with a closure that awaits something, and launches it on an actor of its own, from a builder that returns
  /// its router as `any LaunchRouting`.
  ///
  /// - Parameters:
  ///   - configuration: how the tree is run.
  ///   - build: makes the root router, beside the tree's actor, and keeps no reference to it.
  /// - Throws: what the closure throws.
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
  /// Explains what the root of a tree has to be.
  @available(*, unavailable, message: "The root of a tree is a router: return a Router, or any LaunchRouting.")
  @_disfavoredOverload
  public convenience init(
    configuration: TreeConfiguration = TreeConfiguration(), build: @escaping @Sendable () -> Root
  ) async {
    self.init(configuration)
  }
}

/// The tree that was to be used has ended.
public struct TreeEnded: Error, CustomStringConvertible {
  @inlinable
  init() {}

  public var description: String { "The tree has ended. Launch a new one, or stop calling when it is shut down." }
}

/// A host of a tree, whatever the type of its root: what a server that keeps hosts of several kinds knows of them.
public protocol TreeHosting: Sendable {
  /// The tree as it stands; without RIBs once it has ended.
  func snapshot() async -> TreeSnapshot

  /// Ends the tree and waits for its bound work; see `TreeHost.shutdown(timeout:)`.
  func shutdown(timeout: Duration?) async -> ShutdownReport
}

extension TreeHost: TreeHosting {}

extension Sequence where Element: TreeHosting {
  /// Ends the trees of many hosts, all at once, and waits for their bound work.
  ///
  /// ```swift
  /// let reports = await sessions.values.shutdown(timeout: .seconds(5))
  /// for stuck in reports.flatMap(\.unfinishedTasks) { print(stuck) }
  /// ```
  ///
  /// Each tree ends as `TreeHost.shutdown(timeout:)` says: its RIBs resign, children first, then its work is waited for.
  /// One that is stuck holds up no other.
  ///
  /// - Parameter timeout: how long to wait for the work of each tree, on that tree's clock, from the moment when the tree
  ///   has ended. The wait is not cut short by the cancellation of the calling task. Without a timeout it takes as long as
  ///   it takes, or until the calling task is cancelled.
  /// - Returns: a report for each host, in the order of the hosts.
  @discardableResult
  public func shutdown(timeout: Duration? = nil) async -> [ShutdownReport] {
    await shutDown(Array(self), timeout: timeout)
  }
}

extension Sequence where Element == any TreeHosting {
  /// Ends the trees of many hosts with roots of several types, all at once, and waits for their bound work; see the form
  /// for hosts of one type.
  @discardableResult
  public func shutdown(timeout: Duration? = nil) async -> [ShutdownReport] {
    await shutDown(Array(self), timeout: timeout)
  }
}

private func shutDown(_ hosts: [any TreeHosting], timeout: Duration?) async -> [ShutdownReport] {
  await withTaskGroup(of: (Int, ShutdownReport).self) { group in
    for (index, host) in hosts.enumerated() {
      group.addTask {
        // Not in the tuple, of which Swift 6.3.1 spoils the other element in optimized code that throws.
        let report = await host.shutdown(timeout: timeout)
        return (index, report)
      }
    }
    var reports = [ShutdownReport?](repeating: nil, count: hosts.count)
    for await (index, report) in group { reports[index] = report }
    return reports.compactMap(\.self)
  }
}
