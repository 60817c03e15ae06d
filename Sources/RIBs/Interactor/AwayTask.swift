/// A bound task that runs off the tree and delivers its result on it.
final class AwayTask<Value: Sendable>: BoundTask {
  private let operation: @Sendable () async throws -> Value
  private var handler: ((Value) -> Void)?

  init(
    scope: ScopedWork, origin: TaskOrigin, _ operation: @escaping @Sendable () async throws -> Value,
    then handler: @escaping (Value) -> Void
  ) {
    self.operation = operation
    self.handler = handler
    super.init(scope: scope, origin: origin)
  }

  override func begin(on actor: any Actor, _ executor: any TaskExecutor) -> Task<Void, Never> {
    let crossing = Crossing(self)
    // Without the tree's executor, so that the work leaves the tree.
    return Task(executorPreference: tree?.awayExecutor) { [operation] in
      let outcome: Result<Value, any Error>
      do {
        outcome = .success(try await operation())
      } catch {
        outcome = .failure(error)
      }
      await actor.deliver(outcome, to: crossing)
    }
  }

  func deliver(_ outcome: Result<Value, any Error>) {
    let handler = handler
    self.handler = nil
    switch outcome {
    case .success(let value):
      finish(nil) { handler?(value) }
    case .failure(let error):
      finish(error)
    }
  }
}
