// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// Bound work of interactors and workers.
extension TaskOwner {
  /// The work of the current activation or run.
  package final var work: ScopedWork? { bound as? ScopedWork }

  // MARK: Work on the tree

  /// Starts asynchronous work that runs on the tree, and ends with this activation or run.
  ///
  /// The operation runs on the tree's actor: between two `await`s nothing else accesses the tree, and after each
  /// `await` it continues on the tree. It may capture `self`, with or without a capture list. It does not begin before
  /// this call has returned. When the interactor resigns or the worker stops, the task is cancelled; a task that has
  /// not begun by then never does.
  ///
  /// ```swift
  /// task {
  ///   let quote = try await self.client.quote(self.trip)
  ///   self.show(quote)
  /// }
  /// ```
  ///
  /// Functions that the operation calls run on the tree too, unless they belong to another actor. Use `run` for work
  /// that would block the tree.
  ///
  /// - Parameters:
  ///   - timeout: how long the task may take, on the tree's clock. Then it is cancelled, and when it has ended, it fails
  ///     with `BoundWork.TimedOut`. Without a timeout there is no limit.
  ///   - fileID: Defaults to the call site.
  ///   - line: Defaults to the call site.
  ///   - operation: the work. An error that it throws is passed to `didFail(_:of:)` and to the tree's events.
  /// - Returns: the handle, which says whether the task was started. While the interactor is inactive or the worker is
  ///   not running, outside a tree, and while the tree ends, the task is refused and reported as misuse.
  @discardableResult
  public final func task(
    timeout: Duration? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    _ operation: nonisolated(nonsending) @escaping () async throws -> Void
  ) -> BoundWork.Handle {
    start(TreeTask(origin: TaskOrigin(fileID: fileID, line: line), operation), timeout: timeout)
  }

  /// Starts asynchronous work that runs on the tree, under a key that decides what happens to overlapping work.
  ///
  /// The decision is made before this returns and before any task exists, so a second request can't start in between:
  ///
  /// ```swift
  /// task("reload", overlap: .ignoreWhileRunning) {
  ///   self.show(try await self.client.rides())
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - key: the name of the work, unique in this interactor or worker. `task` and `run` share the keys.
  ///   - overlap: what happens while work with this key is running.
  ///   - timeout: how long the task may take, counted from its start; see the form without a key.
  ///   - fileID: Defaults to the call site.
  ///   - line: Defaults to the call site.
  ///   - operation: the work, as for the form without a key. An error of work that was replaced is passed to the tree's
  ///     events only.
  /// - Returns: the handle, which has the decision.
  @discardableResult
  public final func task(
    _ key: String, overlap: BoundWork.OverlapPolicy, timeout: Duration? = nil, fileID: StaticString = #fileID,
    line: UInt = #line,
    _ operation: nonisolated(nonsending) @escaping () async throws -> Void
  ) -> BoundWork.Handle {
    let origin = TaskOrigin(fileID: fileID, line: line, key: key)
    return start(TreeTask(origin: origin, operation), timeout: timeout, overlap: overlap)
  }

  // MARK: Work off the tree

  /// Starts `Sendable` work off the tree, and delivers its result on the tree while this activation or run lasts.
  ///
  /// ```swift
  /// run({ [client, id] in try await client.fetch(id) }) { ride in
  ///   self.show(ride)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - timeout: how long the work may take, on the tree's clock; see `task`.
  ///   - fileID: Defaults to the call site.
  ///   - line: Defaults to the call site.
  ///   - operation: the work, which runs on any thread. It is cancelled when the interactor resigns or the worker
  ///     stops.
  ///   - handler: receives the result on the tree. It is never called after the end of this activation or run, not even
  ///     in a later one.
  ///   - onError: receives the error that the operation throws, under the same conditions as `handler`. Without it, the
  ///     error is passed to `didFail(_:of:)`. The tree's events have it in both cases.
  /// - Returns: the handle, which says whether the work was started; see `task`.
  @inlinable
  @discardableResult
  public final func run<Value: Sendable>(
    timeout: Duration? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    _ operation: @escaping @Sendable () async throws -> Value, then handler: @escaping (Value) -> Void,
    onError: ((any Error) -> Void)? = nil
  ) -> BoundWork.Handle {
    start(
      RunTask(origin: TaskOrigin(fileID: fileID, line: line), operation, then: handler, onError), timeout: timeout)
  }

  /// Starts `Sendable` work off the tree, under a key that decides what happens to overlapping work.
  ///
  /// The decision is made before this returns and before any task exists. The handler of work that was replaced is
  /// never called:
  ///
  /// ```swift
  /// run("search", overlap: .cancelPrevious, { [client] in try await client.search(text) }) { zones in
  ///   self.show(zones)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - key: the name of the work, unique in this interactor or worker. `task` and `run` share the keys.
  ///   - overlap: what happens while work with this key is running.
  ///   - timeout: how long the work may take, counted from its start; see `task`.
  ///   - fileID: Defaults to the call site.
  ///   - line: Defaults to the call site.
  ///   - operation: the work, as for the form without a key. An error of work that was replaced is passed to the tree's
  ///     events only.
  ///   - handler: receives the result on the tree.
  ///   - onError: receives the error on the tree; see the form without a key.
  /// - Returns: the handle, which has the decision.
  @inlinable
  @discardableResult
  public final func run<Value: Sendable>(
    _ key: String, overlap: BoundWork.OverlapPolicy, timeout: Duration? = nil, fileID: StaticString = #fileID,
    line: UInt = #line,
    _ operation: @escaping @Sendable () async throws -> Value, then handler: @escaping (Value) -> Void,
    onError: ((any Error) -> Void)? = nil
  ) -> BoundWork.Handle {
    let origin = TaskOrigin(fileID: fileID, line: line, key: key)
    return start(
      RunTask(origin: origin, operation, then: handler, onError), timeout: timeout, overlap: overlap)
  }

  // MARK: Work by name

  /// Whether work with a key is running or queued. Work that was cancelled or replaced does not count, even if it has
  /// not ended yet.
  ///
  /// - Parameter key: the key of `task`, `run` or `attach(_:overlap:preparing:)`.
  public final func isRunning(_ key: String) -> Bool { work?.isActive(key) ?? false }

  /// The length of the queue of a key, for tests.
  package final func queueLength(of key: String) -> Int { work?.queueLength(of: key) ?? 0 }

  /// Cancels the running and the queued work with a key; a no-op if there is none. Its results are discarded.
  ///
  /// - Parameter key: the key of `task`, `run` or `attach(_:overlap:preparing:)`.
  public final func cancel(_ key: String) { work?.cancel(key) }

  // MARK: Time

  /// The tree's clock, for bound work that waits: `try await self.treeClock.sleep(for: .seconds(1))`. A test's virtual
  /// clock under `TestTree`; a `SuspendingClock` outside trees.
  public final var treeClock: any Clock<Duration> {
    ownerNode?.tree?.settings.clock ?? SuspendingClock()
  }

  // MARK: Starting

  /// Binds a subscription to the current activation or run. If there is none, it is disposed of, and that is reported.
  final func bind(_ subscription: any Disposable) {
    if let problem = subscriptionRefusal {
      subscription.dispose()
      report(problem)
    } else {
      openWork().add(subscription)
    }
  }

  /// The current bound work, created if there is none.
  final func openWork() -> ScopedWork {
    if let work { return work }
    let new = ScopedWork(of: self)
    bound = new
    return new
  }

  /// Starts work, unless it is refused or the overlap policy decides otherwise.
  ///
  /// - Parameters:
  ///   - timeout: how long the work may take; nil for no limit.
  ///   - overlap: the policy for work that has a key.
  ///   - ownContext: the context of the work; nil for that of work of this owner.
  /// - Returns: the handle, which has the decision. A refusal was reported as misuse.
  @usableFromInline
  final func start(
    _ task: BoundTask, timeout: Duration? = nil, overlap: BoundWork.OverlapPolicy? = nil,
    _ ownContext: BoundWork.Context? = nil
  ) -> BoundWork.Handle {
    guard let tree = treeForTasks() else { return BoundWork.Handle(nil, .inactive) }
    if let timeout { task.timeout = timeout }
    // A started task retains the core of its tree.
    let scope = openWork()
    let context = ownContext ?? context(tree.settings.workContext)
    if let overlap, let key = task.origin.key, tree.canStartWork {
      return BoundWork.Handle(task, scope.admit(task, named: key, overlap, in: tree, context))
    }
    if task.start(in: tree, boundTo: scope, context) { return BoundWork.Handle(task, .started) }
    report(.taskWhileInactive)
    return BoundWork.Handle(nil, .inactive)
  }

  /// The tree in which a task can be started now. Reports misuse if there is none.
  private func treeForTasks() -> TreeCore? {
    if let problem = taskRefusal {
      report(problem)
      return nil
    }
    guard let tree = ownerNode?.tree else {
      report(.taskOutsideTree)
      return nil
    }
    tree.checkIsolation()
    guard !tree.hasEnded else {
      report(.taskWhileInactive)
      return nil
    }
    return tree
  }
}

extension BoundWork {
  /// What happens when work is requested while work with the same key is running.
  public enum OverlapPolicy: Hashable, Sendable {
    /// Does not start the new work. Use it for work that must not run twice at once, such as a reload.
    case ignoreWhileRunning
    /// Starts the new work and cancels the running one and everything queued; their results are discarded. Use it when
    /// only the latest result matters, as in a search.
    case cancelPrevious
    /// Queues the new work until all earlier work has ended and its results are delivered. Use it for work that must run
    /// in order, such as sending.
    case enqueue
    /// Starts the new work while the old continues.
    case concurrent
  }
}

extension TaskOwner {
  /// Not available: the closure would run off the tree, without a diagnostic of the compiler (Swift 6.3), although it can
  /// capture objects of the tree.
  @available(
    *, unavailable,
    message: "the closure would leave the tree, with all that it captures: use 'run' or 'inParallel' for Sendable work"
  )
  public final func withTaskExecutorPreference<Value>(
    _ taskExecutor: (any TaskExecutor)?, isolation: (any Actor)? = nil, operation: () async throws -> Value
  ) async rethrows -> Value {
    fatalError("Unavailable.")
  }
}
