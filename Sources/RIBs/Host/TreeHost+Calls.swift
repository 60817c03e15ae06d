// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

extension TreeHost {
  /// Runs an asynchronous closure on the tree, as work bound to the root.
  ///
  /// The closure runs on the tree's actor, as the operation of `task` does: between two `await`s nothing else accesses
  /// the tree. Other calls run while it waits.
  ///
  /// ```swift
  /// let session = await TreeHost { RootBuilder(dependency: AppComponent()).build() }
  /// let total = try await session.perform { root in
  ///   await Task.yield()
  ///   return root.interactor.total
  /// }
  /// print(total)
  /// ```
  ///
  /// - When the tree ends, the closure is cancelled, and this call throws `TreeEnded` at once; `TreeFailure` if a
  ///   failure ends it.
  /// - When the calling task is cancelled, the closure is cancelled, and this call returns when it has ended.
  /// - Task-local values and the priority of the caller hold in the closure and in work that it starts. They do not
  ///   hold in what lives longer: the work of a RIB that the closure attaches has the tree's
  ///   `TreeConfiguration.workContext`.
  /// - The tree's events, snapshots and reports name the call by its file and line.
  ///
  /// The closure can't have a capture list; it may capture `Sendable` constants.
  ///
  /// - Parameters:
  ///   - timeout: how long the call may take, on the tree's clock, with the time in which the tree is busy with other
  ///     code. Then the closure is cancelled, and the call throws `BoundWork.TimedOut` at once. A closure that ignores its
  ///     cancellation continues as work of the tree: snapshots show it, and `ShutdownReport.unfinishedTasks` names it. Its
  ///     result is discarded. A closure that has not begun never begins, and `BoundWork.TimedOut.tree` names what the tree
  ///     is busy with.
  ///   - fileID: Defaults to the call site.
  ///   - line: Defaults to the call site.
  ///   - body: receives the root router, and returns the values that leave the tree.
  /// - Returns: the closure's result.
  /// - Throws: the closure's error; `TreeEnded` if the tree ended first, `TreeFailure` if a failure ended it;
  ///   `BoundWork.TimedOut`; the `Misuse` if the launch was refused; a `CancellationError` if the closure was cancelled
  ///   and threw none.
  public nonisolated(nonsending) func perform<Value: Sendable>(
    timeout: Duration? = nil, fileID: StaticString = #fileID, line: UInt = #line,
    _ body: nonisolated(nonsending) @escaping @Sendable (Root) async throws -> Value
  ) async throws -> Value {
    let origin = TaskOrigin(fileID: fileID, line: line)
    guard let timeout else { return try await home.call(origin, nil, body).value(of: Value.self, on: home) }
    return try await call(within: timeout) { [home] limit in try await home.call(origin, limit, body) }
  }

  /// Runs an asynchronous closure on the tree, as work bound to a RIB.
  ///
  /// Like the form without `within`, but bound to the activation of an interactor, or to the run of a worker: when it
  /// ends, the closure is cancelled and the call throws `TreeEnded`.
  ///
  /// ```swift
  /// let session = await TreeHost { RootBuilder(dependency: AppComponent()).build() }
  /// let total = try await session.perform(within: { root in root.interactor }) { interactor in
  ///   await Task.yield()
  ///   return interactor.total
  /// }
  /// print(total)
  /// ```
  ///
  /// - Parameters:
  ///   - scope: finds the interactor or the worker, from the root router; nil if there is none now.
  ///   - timeout: how long the call may take, on the tree's clock; see the form without `within`.
  ///   - fileID: Defaults to the call site.
  ///   - line: Defaults to the call site.
  ///   - body: receives the interactor or the worker, and returns the values that leave the tree.
  /// - Returns: the closure's result.
  /// - Throws: what the form without `within` throws. `TreeEnded` also if there is no interactor or worker now, or if
  ///   it is not active.
  public nonisolated(nonsending) func perform<Scope: TaskOwner, Value: Sendable>(
    within scope: @escaping @Sendable (Root) throws -> Scope?, timeout: Duration? = nil,
    fileID: StaticString = #fileID, line: UInt = #line,
    _ body: nonisolated(nonsending) @escaping @Sendable (Scope) async throws -> Value
  ) async throws -> Value {
    let origin = TaskOrigin(fileID: fileID, line: line)
    guard let timeout else {
      return try await home.call(origin, nil, within: scope, body).value(of: Value.self, on: home)
    }
    return try await call(within: timeout) { [home] limit in try await home.call(origin, limit, within: scope, body) }
  }

  /// Makes a call, and waits no longer than a timeout, also while the tree does not begin it.
  ///
  /// - Parameter begin: begins the call on the tree's actor.
  private nonisolated(nonsending) func call<Value: Sendable>(
    within timeout: Duration, _ begin: @escaping @Sendable (CallLimit) async throws -> PendingCall
  ) async throws -> Value {
    let limit = CallLimit(timeout)
    // One timer for the wait and for the closure, so that it sleeps on a virtual clock from the call on.
    let timer = StartedTimer(on: settings.clock, after: limit.timeout, executor: settings.offTreeExecutor) {
      [self] in
      guard limit.call.abandon() else {
        let tree = unanswered(for: limit.timeout)
        limit.begun.set(.failure(BoundWork.TimedOut(timeout: limit.timeout, tree: tree)))
        return
      }
      // Set by now, or by the turn that begins the call, in which nothing of the closure runs.
      if case .success(let call) = await limit.begun.value { await call.timeOut(after: limit.timeout, on: home) }
    }
    defer { timer.cancel() }
    // In the context of the caller, but not waited for: the tree's actor may never be free.
    Task {
      do {
        limit.begun.set(.success(try await begin(limit)))
      } catch is LimitedCall.Abandoned {
        // The timer answers, or the caller has left.
      } catch {
        limit.begun.set(.failure(error))
      }
    }
    let call: PendingCall
    do {
      call = try await limit.begun.valueUnlessCancelled().get()
    } catch {
      // Cancelled. A call that has begun has a result, which is the caller's; another one never begins.
      guard Task.isCancelled, limit.call.abandon() else { throw error }
      call = try await limit.begun.value.get()
    }
    return try await call.value(of: Value.self, on: home)
  }

  /// Runs a closure on the tree that starts work or binds a subscription, and discards the handle.
  ///
  /// ```swift
  /// let session = await TreeHost { RootBuilder(dependency: AppComponent()).build() }
  /// try await session.perform { root in root.interactor.task { try await Task.sleep(for: .seconds(1)) } }
  /// ```
  ///
  /// - Parameters:
  ///   - fileID: Defaults to the call site.
  ///   - line: Defaults to the call site.
  ///   - body: receives the root router. It runs without interruption.
  /// - Throws: the closure's error; `TreeEnded` if the tree had ended before, `TreeFailure` if a failure had ended it;
  ///   the `Misuse` if the launch was refused.
  public nonisolated(nonsending) func perform<Handle: Disposable & SendableMetatype>(
    fileID: StaticString = #fileID, line: UInt = #line, _ body: @Sendable (Root) throws -> Handle
  ) async throws {
    try await perform(fileID: fileID, line: line) { root in _ = try body(root) }
  }
}

extension TreeActor {
  /// Starts a call that is bound to the root.
  func call<Root, Value: Sendable>(
    _ origin: TaskOrigin, _ limit: CallLimit?,
    _ body: nonisolated(nonsending) @escaping @Sendable (Root) async throws -> Value
  ) throws -> PendingCall {
    let (root, core) = try tree(withRoot: Root.self)
    // Without an interactor of the runtime, such as in a test with doubles, nothing can be bound.
    guard let interactor = core.rootInteractor else { throw TreeEnded() }
    return try start(origin, limit, on: root, within: interactor, body)
  }

  /// Starts a call that is bound to a RIB.
  func call<Root, Scope: TaskOwner, Value: Sendable>(
    _ origin: TaskOrigin, _ limit: CallLimit?,
    within scope: @Sendable (Root) throws -> Scope?,
    _ body: nonisolated(nonsending) @escaping @Sendable (Scope) async throws -> Value
  ) throws -> PendingCall {
    guard let owner = try perform(origin.fileID, origin.line, scope) else { throw TreeEnded(core?.rootPath) }
    return try start(origin, limit, on: owner, within: owner, body)
  }

  private func start<Subject, Value: Sendable>(
    _ origin: TaskOrigin, _ limit: CallLimit?, on subject: Subject, within owner: TaskOwner,
    _ body: nonisolated(nonsending) @escaping @Sendable (Subject) async throws -> Value
  ) throws -> PendingCall {
    guard owner.taskRefusal == nil else { throw TreeEnded(owner.ownerNode?.path) }
    let answer = Promise<CallTask.Answer>()
    let task = CallTask(origin: origin, answer: answer) { CallResult(try await body(subject)) }
    try limit?.call.begin()
    // A call with a limit begins in another job, because its timeout must find it begun even if its first step blocks.
    let beginsAtOnce = limit == nil && !Task.isCancelled
    let start = { owner.start(task, .inherited) }
    let handle = beginsAtOnce ? core?.starter.startAtOnce(start) : start()
    guard handle?.start == .started else { throw absence }
    task.timeout = limit?.timeout
    return PendingCall(task, answer)
  }
}

/// The time limit of a call, which also counts while the caller waits for the tree.
struct CallLimit: Sendable {
  let timeout: Duration
  let call = LimitedCall()
  /// Set when the call has begun, or the timeout has passed.
  let begun = Promise<Result<PendingCall, any Error>>()

  init(_ timeout: Duration) { self.timeout = timeout.boundedTimeout }
}
