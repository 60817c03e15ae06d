// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

public import ServiceLifecycle

/// Stops waiting for a service some time after its graceful shutdown has begun: slow clients can't hold up the rest.
public struct Bounded<Inner: Service>: Service {
  private let service: Inner
  private let timeout: Duration

  /// - Parameter timeout: how long the service may take to end.
  public init(service: Inner, timeout: Duration) { (self.service, self.timeout) = (service, timeout) }

  /// Runs the service.
  public func run() async throws {
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
