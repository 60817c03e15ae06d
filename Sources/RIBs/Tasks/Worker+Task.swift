extension Worker {
  /// Starts asynchronous work that runs on the tree and ends when the worker stops.
  ///
  /// It runs as the work of an interactor does: between two `await`s nothing else touches the tree.
  ///
  /// ```swift
  /// task {
  ///   for await position in self.client.positions() { self.stream.accept(position) }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - fileID: leave out; says where the task was started, with `line`.
  ///   - line: leave out.
  ///   - operation: the work. An error it throws reaches `didFail(_:of:)` and the tree's events.
  /// - Returns: whether the task was started. A worker that does not run, or one outside a tree, starts nothing and that
  ///   is reported; so is one whose tree is ending.
  @discardableResult
  public final func task(
    fileID: StaticString = #fileID, line: UInt = #line,
    _ operation: nonisolated(nonsending) @escaping () async throws -> Void
  ) -> TaskStart {
    start(TreeTask(origin: TaskOrigin(fileID: fileID, line: line), operation))
  }

  /// Starts asynchronous work that runs on the tree, unless work of the same name says otherwise.
  ///
  /// - Parameters:
  ///   - key: names the work; names belong to the worker, and are shared by `task` and `run`.
  ///   - overlap: what happens while work of this name is running; decided before this returns.
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

  /// Starts `Sendable` work off the tree, and hands its result back on the tree while the worker runs.
  ///
  /// - Parameters:
  ///   - fileID: leave out; says where the work was started, with `line`.
  ///   - line: leave out.
  ///   - operation: the work, which runs on any thread beside the tree. It is cancelled when the worker stops. An error it
  ///     throws reaches `didFail(_:of:)` and the tree's events.
  ///   - handler: receives the result on the tree. It is never called once the worker has stopped, also when the worker
  ///     runs again.
  /// - Returns: whether the work was started. A worker that does not run, or one outside a tree, starts nothing and that
  ///   is reported; so is one whose tree is ending.
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
  /// - Parameters:
  ///   - key: names the work; names belong to the worker, and are shared by `task` and `run`.
  ///   - overlap: what happens while work of this name is running; decided before this returns.
  ///   - fileID: leave out; says where the work was started, with `line`.
  ///   - line: leave out.
  ///   - operation: the work, as for the form without a name. An error of work that was replaced reaches the tree's
  ///     events only.
  ///   - handler: receives the result on the tree; that of work that was replaced is never called.
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
