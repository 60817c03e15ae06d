/// A bound task that builds a child off the tree, and attaches it on it.
final class PreparingTask<Child: Routing & SendableMetatype>: BoundTask {
  private let build: @Sendable () async throws -> sending Child
  private var connect: ((Child) -> Void)?

  init(
    origin: TaskOrigin, _ build: @escaping @Sendable () async throws -> sending Child,
    connect: @escaping (Child) -> Void
  ) {
    self.build = build
    self.connect = connect
    super.init(origin: origin)
  }

  override func begin(on actor: __owned any Actor, _ executor: any TaskExecutor) -> Handle {
    let crossing = Crossing(self)
    return Task(away: tree?.awayExecutor) { [build] in
      do {
        let child = try await build()
        // Nobody waits for it any more: it goes here, which costs the tree nothing.
        try Task.checkCancellation()
        await actor.adopt(child, through: crossing)
      } catch {
        await actor.end(crossing, with: error)
      }
    }
  }

  /// The child is here.
  func adopt(_ child: Child) {
    let router = node?.takeUnretainedValue()
    finish(nil) {
      connect?(child)
      router?.attachChild(child)
    }
  }

  override func letGoOfCaptures() { connect = nil }
}
