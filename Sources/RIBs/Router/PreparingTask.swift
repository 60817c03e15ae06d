/// A bound task that builds a child off the tree, and attaches it on it.
final class PreparingTask<Child: Routing & SendableMetatype>: LeavingTask {
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

  override func makeSwiftTask(on actor: any Actor, _ starter: TaskStarter, _ context: WorkContext) -> Handle? {
    let box = IsolationBox(self)
    let turn = turnToWaitFor()
    return context.task(on: tree?.awayExecutor) { [build] in
      do {
        if let turn { await turn.wait() }
        try Task.checkCancellation()
        let child = Prepared(try await build())
        // Nothing waits for it any more: it is released here, which costs the tree nothing.
        try Task.checkCancellation()
        await actor.adopt(child, through: box)
      } catch {
        await actor.end(box, with: error)
      }
    }
  }

  /// The child is here.
  func adopt(_ prepared: Prepared<Child>) {
    let (router, scope) = (node?.takeUnretainedValue(), scope)
    guard let child = prepared.take() else { return }
    finish(throwing: nil) {
      connect?(child)
      // What connects the child may end the scope; the child is discarded then.
      guard scope?.hasEnded == false else { return }
      router?.attachChild(child)
    }
  }

  override func releaseCaptures() { connect = nil }
}

/// Hands over a child that was built off a tree.
///
/// The task that built the child holds what it hands over until the call has returned. It holds this, which is empty by
/// then, so that the last reference to the child is never released off the tree.
final class Prepared<Child> {
  private var child: Child?

  init(_ child: consuming Child) { self.child = child }

  func take() -> Child? {
    defer { child = nil }
    return child
  }
}
