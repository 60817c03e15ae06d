/// A bound task that runs an asynchronous call from outside the tree, and answers it.
final class CallTask<Subject, Value: Sendable>: OnTreeTask {
  private let answer: Promise<Result<Value, any Error>>
  @exclusivity(unchecked) private var call: Call?
  /// The error that the closure has thrown.
  @exclusivity(unchecked) private var thrown: (any Error)?

  /// What the call needs, until it begins.
  private struct Call {
    let subject: Subject
    let body: nonisolated(nonsending) @Sendable (Subject) async throws -> Value
  }

  /// - Parameters:
  ///   - subject: what the closure receives: the root, or the scope that the call is bound to.
  ///   - answer: is set once: to the result or the error of the closure, or to the reason why there is none.
  init(
    origin: TaskOrigin, on subject: Subject,
    _ body: nonisolated(nonsending) @escaping @Sendable (Subject) async throws -> Value,
    answer: Promise<Result<Value, any Error>>
  ) {
    self.answer = answer
    call = Call(subject: subject, body: body)
    super.init(origin: origin)
  }

  override nonisolated(nonsending) func execute() async {
    tree?.starter.willStep(of: origin)
    guard begin(), let call else { return }
    self.call = nil
    do {
      let value = try await call.body(call.subject)
      finish(throwing: nil) { answer.set(.success(value)) }
    } catch {
      thrown = error
      finish(throwing: error)
    }
  }

  /// Answers at once: nothing of the scope is delivered any more. The operation may take a while to end.
  override func willCancel(_ reason: TaskState.Cancellation) {
    guard case .scopeEnded = reason else { return }
    let hasTreeEnded = tree?.hasEnded ?? true
    answer.set(.failure(hasTreeEnded ? tree?.absence ?? TreeEnded() : TreeEnded(path)))
  }

  /// The caller handles the error, whether or not the scope has ended meanwhile.
  override func handle(_ error: any Error, inScope: Bool) -> Bool {
    answer.set(.failure(error))
    return true
  }

  override func releaseCaptures() {
    let released = (call, thrown)
    call = nil
    thrown = nil
    // Has no effect if the call was answered.
    answer.set(.failure(released.1 ?? CancellationError()))
    withExtendedLifetime(released) {}
  }
}

/// A call that runs on a tree, as seen by its caller.
struct PendingCall<Value: Sendable>: Sendable {
  private let answer: Promise<Result<Value, any Error>>
  private let task: IsolationBox

  init(_ task: BoundTask, _ answer: Promise<Result<Value, any Error>>) {
    self.answer = answer
    self.task = IsolationBox(task)
  }

  /// Waits for the answer. Cancelling the calling task cancels the call.
  nonisolated(nonsending) func value(on actor: any Actor) async throws -> Value {
    let result = await withTaskCancellationHandler {
      await answer.value
    } onCancel: { [task] in
      // Not in the canceller's context, which may be about to end.
      Task.detached { await actor.cancel(task) }
    }
    return try result.get()
  }
}
