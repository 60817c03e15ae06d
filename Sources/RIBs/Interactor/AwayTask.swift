/// A bound task that runs off the tree and delivers its result on it.
final class AwayTask<Value: Sendable>: BoundTask {
  private let operation: @Sendable () async throws -> Value
  @exclusivity(unchecked) private var handler: ((Value) -> Void)?

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
    return Task(away: tree?.awayExecutor) { [operation] in
      do {
        await actor.deliver(try await operation(), to: crossing)
      } catch {
        await actor.end(crossing, with: error)
      }
    }
  }

  func deliver(_ value: Value) { finish(nil) { handler?(value) } }

  override func letGoOfCaptures() { handler = nil }
}
