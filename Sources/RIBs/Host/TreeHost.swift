// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

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
/// releasing the host elsewhere does not end such a tree. When a tree ends by itself, because a RIB calls `endTree()` or
/// has failed, its RIBs are released even if the host is kept.
public final class TreeHost<Root>: Sendable {
  @usableFromInline package let home: TreeActor
  let settings: TreeSettings
  let activity: TreeActivity
  private let isShutDown = Atomic(false)
  private let end: Promise<TreeEnded.Reason>

  init(_ configuration: TreeConfiguration) {
    let activity = TreeActivity()
    let end = Promise<TreeEnded.Reason>()
    let box = ConfigurationBox(configuration) { [onEnd = configuration.onEnd] reason, home in
      activity.noteEnded()
      onEnd?(reason)
      end.set(reason)
      switch reason {
      case .requested, .failed, .notRestored: Task.detached { await (home as? TreeActor)?.releaseEndedTree() }
      case .shutDown, .released, .refused: break
      }
    }
    settings = box.settings
    home = TreeActor(box, activity)
    self.activity = activity
    self.end = end
    if let watchdog = configuration.watchdog {
      // The code that builds the root may not end either.
      activity.setRoot(nil, of: configuration.name)
      watchdog.watch(activity)
    }
  }

  deinit {
    guard !isShutDown.load(ordering: .relaxed) else { return }
    Task.detached { [home] in
      await home.end(.released)
      _ = await home.shutdown(timeout: nil, caller: nil)
    }
  }

  /// Whether the tree has not ended. False from the moment at which its last RIB has resigned, also in
  /// `TreeConfiguration.onEnd`.
  public var isActive: Bool { !activity.hasEnded }

  /// Waits until all RIBs of the tree have resigned, and `TreeConfiguration.onEnd` has returned.
  ///
  /// Bound work that ignores its cancellation may still run then; `shutdown(timeout:)` waits for it. Cancelling the
  /// calling task does not end the wait. A task that waits here keeps the host; use `onEnd(_:)` where the host may be
  /// released.
  public var ended: TreeEnded.Reason { get async { await end.value } }

  /// Calls a handler when all RIBs of the tree have resigned, after `TreeConfiguration.onEnd`; at once if they have.
  ///
  /// ```swift
  /// let session = await TreeHost { RootBuilder(dependency: AppComponent()).build() }
  /// session.onEnd { reason in print("The session has ended: \(reason).") }
  /// ```
  ///
  /// - Parameter handler: called once, on the tree's actor or the calling thread. It does not keep the host.
  /// - Returns: removes the handler when it is disposed of, on any thread. Discard it to keep the handler until the end.
  /// - Complexity: O(1), also to remove the handler.
  @discardableResult
  public func onEnd(
    _ handler: @escaping @Sendable (_ reason: TreeEnded.Reason) -> Void
  ) -> any Disposable & Sendable { PromiseSubscription(promise: end, number: end.whenSet(handler)) }

  /// Runs a closure on the tree.
  ///
  /// - Parameters:
  ///   - fileID: Defaults to the call site.
  ///   - line: Defaults to the call site.
  ///   - body: receives the root router, and returns the values that leave the tree. It runs without interruption.
  /// - Returns: the closure's result.
  /// - Throws: the closure's error; `TreeEnded` if the tree had ended before, `TreeFailure` if a failure had ended it;
  ///   the `Misuse` if the launch was refused.
  @inlinable
  public nonisolated(nonsending) func perform<Value: Sendable>(
    fileID: StaticString = #fileID, line: UInt = #line, _ body: @Sendable (Root) throws -> Value
  ) async throws -> Value {
    try await home.perform(fileID, line, body)
  }

  /// Takes a snapshot of the tree; without RIBs once the tree has ended.
  public func snapshot() async -> TreeSnapshot { await home.snapshot() }

  /// Ends the tree and waits for its bound work.
  ///
  /// - Parameter timeout: how long to wait, on the tree's clock, for work that ignores its cancellation. Cancelling the
  ///   calling task does not shorten this wait. Without a timeout, the call waits until all work has ended or the
  ///   calling task is cancelled. A call, a callback or bound work that blocks the tree can't be interrupted: this
  ///   returns at the timeout, and `ShutdownReport.busy` names the tree and the code.
  /// - Returns: the work that was still running when the wait ended, by the path of its RIB, excluding the work that
  ///   calls this.
  @discardableResult
  public func shutdown(timeout: Duration? = nil) async -> ShutdownReport {
    guard let timeout else {
      isShutDown.store(true, ordering: .relaxed)
      return await home.shutdown(timeout: nil, caller: callingTask())
    }
    let shutdown = beginShutdown()
    let timer = shutdown.startTimer(timeout)
    let report = await shutdown.report.value
    timer.cancel()
    shutdown.finish()
    return report
  }

  /// Begins to end the tree.
  package func beginShutdown() -> LimitedShutdown {
    isShutDown.store(true, ordering: .relaxed)
    return LimitedShutdown(home, settings, activity, caller: callingTask())
  }
}

/// Removes the handler of a promise.
private struct PromiseSubscription<Value: Sendable>: Disposable, Sendable {
  let promise: Promise<Value>
  /// Nil if the handler was called before.
  let number: Int?

  func dispose() { if let number { promise.remove(number) } }

  var hasEnded: Bool { number.map { !promise.contains($0) } ?? true }
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
    try await home.launch(build)
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
    await launch(Prepared(try await build()))
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
    try await home.launch(build)
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
    await launch(Prepared(try await build()))
  }
}

extension TreeHost {
  /// Launches a tree whose root was built off the tree's actor. Here the root has no other type than `Root`: where that is
  /// known to be an existential, the compiler would pass the object's own type.
  private func launch(_ root: sending Prepared<Root>) async { await home.launch(root) }

  /// Unavailable: explains the required type of the root in a compiler error.
  @available(*, unavailable, message: "The root of a tree is a router: return a Router, or any LaunchRouting.")
  @_disfavoredOverload
  public convenience init(
    configuration: TreeConfiguration = TreeConfiguration(), build: @escaping @Sendable () -> Root
  ) async {
    self.init(configuration)
  }
}

extension TreeActor {
  // Final, because a call of an actor's method is dispatched dynamically otherwise (Swift 6.3), and not inlined. The
  // closure captures no isolated value, because the compiler would check its isolation at run time.
  @inlinable
  @inline(__always)
  final func perform<Root, Value>(
    _ fileID: StaticString, _ line: UInt, _ body: @Sendable (Root) throws -> Value
  ) throws -> Value {
    guard let rootBox else { throw absence }
    return try rootBox._withUnsafeGuaranteedRef { [activityLink] rootBox in
      let home = RootBox<Root>.opened(rootBox)
      return try activityLink._withUnsafeGuaranteedRef { activity in
        let outer = activity.position
        activity.enter(.call, fileID, line)
        defer { activity.leave(to: outer) }
        guard home.core.state.takesPlainCalls else {
          return try home.core.measureCall(fileID, line) { try body(home.root) }
        }
        return try body(home.root)
      }
    }
  }
}
