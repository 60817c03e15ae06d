// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// A bound task that runs an asynchronous call from outside the tree, and answers it.
///
/// It is not generic, and neither is the promise of its answer: the runtime would look up the metadata of each generic
/// type in each call, because `perform` is not specialized.
final class CallTask: OnTreeTask {
  /// How a call ends: with a `CallResult`, or an error.
  typealias Answer = Result<any AnyObject & Sendable, any Error>

  private let answer: Promise<Answer>
  /// Runs the closure of the call, until it begins.
  private var body: Body?
  /// The error that the closure has thrown.
  private var thrown: (any Error)?

  typealias Body = nonisolated(nonsending) () async throws -> any AnyObject & Sendable

  /// - Parameter answer: is set once: to the result or the error of the closure, or to the reason why there is none.
  init(origin: TaskOrigin, answer: Promise<Answer>, _ body: @escaping Body) {
    self.answer = answer
    self.body = body
    super.init(origin: origin)
  }

  override var isAwaited: Bool { true }

  override nonisolated(nonsending) func execute() async {
    tree?.starter.willStep(of: origin)
    guard begin(), let body else { return }
    self.body = nil
    do {
      let result = try await body()
      finish(throwing: nil) { answer.set(.success(result)) }
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

  /// The caller handles the error, whether or not the scope has ended meanwhile. If it has left at the timeout, and the
  /// closure has failed before it was cancelled, the error is reported.
  override func handle(_ error: any Error, inScope: Bool) -> Bool {
    if !answer.set(.failure(error)), !(error is BoundWork.TimedOut) { report(error, in: tree) }
    return true
  }

  override func releaseCaptures() {
    let released = (body, thrown)
    body = nil
    thrown = nil
    if !answer.isSet { answer.set(.failure(released.1 ?? CancellationError())) }
    withExtendedLifetime(released) {}
  }
}

/// The result of a call, on the heap.
final class CallResult<Value: Sendable>: Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}

/// A call that runs on a tree, as seen by its caller.
struct PendingCall: Sendable {
  private let answer: Promise<CallTask.Answer>
  private let task: IsolationBox

  init(_ task: BoundTask, _ answer: Promise<CallTask.Answer>) {
    self.answer = answer
    self.task = IsolationBox(task)
  }

  /// Waits for the answer. Cancelling the calling task cancels the call.
  nonisolated(nonsending) func value<Value: Sendable>(of type: Value.Type, on actor: any Actor) async throws -> Value {
    guard let result = try await answer(on: actor).get() as? CallResult<Value> else {
      fatalError("A call has another type of result.")
    }
    return result.value
  }

  /// Answers at the timeout, although the operation may ignore its cancellation, and the tree may be busy. Then cancels the
  /// operation.
  func timeOut(after timeout: Duration, on actor: any Actor) async {
    answer.set(.failure(BoundWork.TimedOut(timeout: timeout)))
    await actor.timeOut(task)
  }

  private nonisolated(nonsending) func answer(on actor: any Actor) async -> CallTask.Answer {
    if let answer = answer.current { return answer }
    return await withTaskCancellationHandler {
      await answer.value
    } onCancel: { [task] in
      // Not in the canceller's context, which may be about to end.
      Task.detached { await actor.cancel(task) }
    }
  }
}
