/// A bound task that runs off the tree and delivers its result on it.
///
/// It is made where it is started, by code that knows the type of the result: looking up a generic class takes longer than
/// making one.
@usableFromInline
final class AwayTask<Value: Sendable>: BoundTask {
  private let operation: @Sendable () async throws -> Value
  @exclusivity(unchecked) private var handler: ((Value) -> Void)?

  @usableFromInline
  init(
    origin: TaskOrigin, _ operation: @escaping @Sendable () async throws -> Value,
    then handler: @escaping (Value) -> Void
  ) {
    self.operation = operation
    self.handler = handler
    super.init(origin: origin)
  }

  override func begin(on actor: __owned any Actor, _ executor: any TaskExecutor) -> Handle {
    let crossing = Crossing(self)
    return Task(away: tree?.awayExecutor) { [operation] in
      do {
        await actor.deliver(try await operation(), to: crossing)
      } catch {
        await actor.end(crossing, with: error)
      }
    }
  }

  override func deliver(_ result: UnsafeRawPointer) {
    let handler = handler
    self.handler = nil
    finish(nil) { handler?(result.assumingMemoryBound(to: Value.self).pointee) }
  }

  override func letGoOfCaptures() { handler = nil }
}
