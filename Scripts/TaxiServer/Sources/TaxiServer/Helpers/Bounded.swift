import ServiceLifecycle

/// Stops waiting for a service some time after its graceful shutdown has begun: slow clients can't hold up the rest.
struct Bounded<Inner: Service>: Service {
  let service: Inner
  let timeout: Duration

  func run() async throws {
    try await withThrowingTaskGroup(of: Bool.self) { group in
      group.addTask {
        try await service.run()
        return true
      }
      group.addTask {
        try? await gracefulShutdown()
        try? await Task.sleep(for: timeout)
        return false
      }
      // A cancelled service throws, which is no failure here.
      if try await group.next() == true { return group.cancelAll() }
      group.cancelAll()
      while let result = await group.nextResult() { _ = result }
    }
  }
}
