// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// A bound task that runs off the tree and delivers its result on it.
///
/// It is created at the call site, where the type of the result is known: looking up a generic class at run time takes
/// longer than creating an instance.
@usableFromInline
final class RunTask<Value: SendableMetatype>: OffTreeTask {
  private var handler: ((Value) -> Void)?
  private var onError: ((any Error) -> Void)?

  /// - Parameter body: delivers a value with `Actor.deliver(_:to:)`.
  init(
    origin: TaskOrigin, body: @escaping Body, then handler: @escaping (Value) -> Void,
    _ onError: ((any Error) -> Void)? = nil
  ) {
    self.handler = handler
    self.onError = onError
    super.init(origin: origin, body)
  }

  func deliver(_ value: Value) {
    let handler = handler
    self.handler = nil
    inTurn { finish(throwing: nil) { handler?(value) } }
  }

  override func handle(_ error: any Error, inScope: Bool) -> Bool {
    guard inScope, let onError else { return false }
    self.onError = nil
    onError(error)
    return true
  }

  /// Releases the handlers. Work that has timed out still calls `onError`.
  override func didCancel(_ reason: TaskState.Cancellation) {
    if reason != .timedOut { releaseCaptures() }
  }

  override func releaseCaptures() {
    // Most have released both by now. Generic values are released through their metadata, which takes long to look up.
    if handler == nil, onError == nil { return }
    let released = (handler, onError)
    handler = nil
    onError = nil
    withExtendedLifetime(released) {}
  }
}

extension RunTask where Value: Sendable {
  @usableFromInline
  convenience init(
    origin: TaskOrigin, _ operation: @escaping @Sendable () async throws -> Value,
    then handler: @escaping (Value) -> Void, _ onError: ((any Error) -> Void)?
  ) {
    self.init(
      origin: origin, body: { task, actor in await actor.deliver(try await operation(), to: task) }, then: handler,
      onError)
  }
}

/// A bound task whose operation runs off the tree.
@usableFromInline
class OffTreeTask: BoundTask {
  /// Runs the operation, and brings its result to the task on the actor of its tree.
  typealias Body = @Sendable (_ task: IsolationBox, _ actor: any Actor) async throws -> Void

  private final let body: Body
  /// Suspends the Swift task while the work is queued.
  private final var startSignal: Promise<Void>?

  init(origin: TaskOrigin, _ body: @escaping Body) {
    self.body = body
    super.init(origin: origin)
  }

  override final func makeSwiftTask(
    on actor: any Actor, _ starter: TaskStarter, _ context: BoundWork.Context
  ) -> Handle? {
    if isQueued { startSignal = Promise() }
    let task = IsolationBox(self)
    return context.task(on: tree?.settings.offTreeExecutor) { [startSignal, body] in
      do {
        try await startSignal?.valueUnlessCancelled()
        try Task.checkCancellation()
        try await body(task, actor)
      } catch {
        await actor.end(task, with: error)
      }
    }
  }

  override final func allowStart(_ starter: TaskStarter) {
    _ = begin()
    startSignal.take()?.set(())
  }
}

extension Actor {
  /// Delivers the result of work that ran off the tree on this actor.
  func deliver<Value: SendableMetatype>(_ value: sending Value, to box: IsolationBox) {
    content(of: box, as: RunTask<Value>.self).deliver(value)
  }
}
