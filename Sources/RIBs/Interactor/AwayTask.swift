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
    let work: @Sendable () async -> Void = { [operation] in
      let outcome: Result<Value, any Error>
      do {
        outcome = .success(try await operation())
      } catch {
        outcome = .failure(error)
      }
      await actor.deliver(outcome, to: crossing)
    }
    // Without the tree's executor, so that the work leaves the tree; and without any, if it can be: a task that has one
    // to prefer looks for it each time that it goes on (Swift 6.3), also when there is none.
    guard let executor = tree?.awayExecutor else { return Task { await work() } }
    return Task(executorPreference: executor) { await work() }
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
