// Declared for their messages: without them, the compiler only says that it can't find `task`.

extension Routing {
  /// Not available: a router starts no work.
  @available(
    *, unavailable,
    message: "a router has no scope of its own: start the work in the interactor, whose activation ends it"
  )
  public func task(timeout: Duration? = nil, _ operation: () async throws -> Void) -> BoundWork.Handle {
    fatalError("Unavailable.")
  }

  /// Not available: a router starts no work.
  @available(
    *, unavailable,
    message: "a router has no scope of its own: start the work in the interactor, whose activation ends it"
  )
  public func task(
    _ key: String, overlap: OverlapPolicy, timeout: Duration? = nil, _ operation: () async throws -> Void
  ) -> BoundWork.Handle {
    fatalError("Unavailable.")
  }

  /// Not available: a router starts no work.
  @available(
    *, unavailable,
    message: "a router has no scope of its own: start the work in the interactor, whose activation ends it"
  )
  public func run<Value>(
    timeout: Duration? = nil, _ operation: () async throws -> Value, then handler: (Value) -> Void,
    onError: ((any Error) -> Void)? = nil
  ) -> BoundWork.Handle {
    fatalError("Unavailable.")
  }

  /// Not available: a router starts no work.
  @available(
    *, unavailable,
    message: "a router has no scope of its own: start the work in the interactor, whose activation ends it"
  )
  public func run<Value>(
    _ key: String, overlap: OverlapPolicy, timeout: Duration? = nil, _ operation: () async throws -> Value,
    then handler: (Value) -> Void, onError: ((any Error) -> Void)? = nil
  ) -> BoundWork.Handle {
    fatalError("Unavailable.")
  }
}

extension Presentable {
  /// Not available: a presenter starts no work.
  @available(
    *, unavailable,
    message: "a presenter has no scope: call the interactor, and start the work there, whose activation ends it"
  )
  public func task(timeout: Duration? = nil, _ operation: () async throws -> Void) -> BoundWork.Handle {
    fatalError("Unavailable.")
  }

  /// Not available: a presenter starts no work.
  @available(
    *, unavailable,
    message: "a presenter has no scope: call the interactor, and start the work there, whose activation ends it"
  )
  public func task(
    _ key: String, overlap: OverlapPolicy, timeout: Duration? = nil, _ operation: () async throws -> Void
  ) -> BoundWork.Handle {
    fatalError("Unavailable.")
  }

  /// Not available: a presenter starts no work.
  @available(
    *, unavailable,
    message: "a presenter has no scope: call the interactor, and start the work there, whose activation ends it"
  )
  public func run<Value>(
    timeout: Duration? = nil, _ operation: () async throws -> Value, then handler: (Value) -> Void,
    onError: ((any Error) -> Void)? = nil
  ) -> BoundWork.Handle {
    fatalError("Unavailable.")
  }

  /// Not available: a presenter starts no work.
  @available(
    *, unavailable,
    message: "a presenter has no scope: call the interactor, and start the work there, whose activation ends it"
  )
  public func run<Value>(
    _ key: String, overlap: OverlapPolicy, timeout: Duration? = nil, _ operation: () async throws -> Value,
    then handler: (Value) -> Void, onError: ((any Error) -> Void)? = nil
  ) -> BoundWork.Handle {
    fatalError("Unavailable.")
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
