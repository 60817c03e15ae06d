extension Interactor {
  /// Starts asynchronous work that runs on the tree and ends with this activation of the interactor.
  ///
  /// The operation runs where the tree runs, as if the interactor were an actor: between two `await`s nothing else
  /// touches the tree, and after each `await` it is back on the tree. It may capture `self`, with or without a capture
  /// list. When the interactor resigns, the task is cancelled. It does not begin before this call has returned.
  ///
  /// ```swift
  /// task {
  ///   let quote = try await self.client.quote(self.trip)
  ///   self.show(quote)
  /// }
  /// ```
  ///
  /// What the operation calls runs on the tree too, unless it has an actor of its own; work that would keep the tree
  /// busy belongs in `run`.
  ///
  /// - Parameters:
  ///   - fileID: leave out; says where the task was started, with `line`.
  ///   - line: leave out.
  ///   - operation: the work. An error it throws reaches `didFail(_:of:)` and the tree's events.
  /// - Returns: whether the task was started. An inactive interactor, or one outside a tree, starts nothing and that is
  ///   reported; so is one whose tree is ending.
  @discardableResult
  public final func task(
    fileID: StaticString = #fileID, line: UInt = #line,
    _ operation: nonisolated(nonsending) @escaping () async throws -> Void
  ) -> TaskStart {
    start(TreeTask(origin: TaskOrigin(fileID: fileID, line: line), operation))
  }

  /// Starts asynchronous work that runs on the tree, unless work of the same name says otherwise.
  ///
  /// It is decided before this returns, and before any task exists, so that a second request can't slip in:
  ///
  /// ```swift
  /// task("reload", overlap: .ignoreWhileRunning) {
  ///   self.show(try await self.client.rides())
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - key: names the work; names belong to the interactor, and are shared by `task` and `run`.
  ///   - overlap: what happens while work of this name is running.
  ///   - fileID: leave out; says where the task was started, with `line`.
  ///   - line: leave out.
  ///   - operation: the work, as for the form without a name. An error of work that was replaced reaches the tree's
  ///     events only.
  /// - Returns: what became of the request.
  @discardableResult
  public final func task(
    _ key: String, overlap: OverlapPolicy, fileID: StaticString = #fileID, line: UInt = #line,
    _ operation: nonisolated(nonsending) @escaping () async throws -> Void
  ) -> TaskStart {
    start(TreeTask(origin: TaskOrigin(fileID: fileID, line: line, key: key), operation), overlap)
  }

  /// Starts `Sendable` work off the tree, and hands its result back on the tree while this activation lasts.
  ///
  /// ```swift
  /// run({ [client, id] in try await client.fetch(id) }) { ride in
  ///   self.show(ride)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - fileID: leave out; says where the work was started, with `line`.
  ///   - line: leave out.
  ///   - operation: the work, which runs on any thread beside the tree. It is cancelled when the interactor resigns. An
  ///     error it throws reaches `didFail(_:of:)` and the tree's events.
  ///   - handler: receives the result on the tree. It is never called once the interactor has resigned, also when the
  ///     interactor has become active again.
  /// - Returns: whether the work was started. An inactive interactor, or one outside a tree, starts nothing and that is
  ///   reported; so is one whose tree is ending.
  @inlinable
  @discardableResult
  public final func run<Value: Sendable>(
    fileID: StaticString = #fileID, line: UInt = #line,
    _ operation: @escaping @Sendable () async throws -> Value, then handler: @escaping (Value) -> Void
  ) -> TaskStart {
    startRun(RunTask(origin: TaskOrigin(fileID: fileID, line: line), operation, then: handler))
  }

  /// Starts `Sendable` work off the tree, unless work of the same name says otherwise.
  ///
  /// It is decided before this returns, and before any task exists. The handler of work that was replaced is never
  /// called:
  ///
  /// ```swift
  /// run("search", overlap: .cancelPrevious, { [client] in try await client.search(text) }) { zones in
  ///   self.show(zones)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - key: names the work; names belong to the interactor, and are shared by `task` and `run`.
  ///   - overlap: what happens while work of this name is running.
  ///   - fileID: leave out; says where the work was started, with `line`.
  ///   - line: leave out.
  ///   - operation: the work, as for the form without a name. An error of work that was replaced reaches the tree's
  ///     events only.
  ///   - handler: receives the result on the tree.
  /// - Returns: what became of the request.
  @inlinable
  @discardableResult
  public final func run<Value: Sendable>(
    _ key: String, overlap: OverlapPolicy, fileID: StaticString = #fileID, line: UInt = #line,
    _ operation: @escaping @Sendable () async throws -> Value, then handler: @escaping (Value) -> Void
  ) -> TaskStart {
    startRun(RunTask(origin: TaskOrigin(fileID: fileID, line: line, key: key), operation, then: handler), overlap)
  }

  /// Starts work off the tree, made by code that knows its type.
  @usableFromInline
  final func startRun(_ task: BoundTask, _ overlap: OverlapPolicy? = nil) -> TaskStart { start(task, overlap) }
}
