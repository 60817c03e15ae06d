// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import ServiceLifecycle
import ServiceLifecycleTestKit

@testable import HTTPTrees

/// A server of a test with routes of its own, in the process of the tests.
enum Program {
  /// Runs it while the body runs.
  ///
  /// - Parameter trees: the service of its directory; nil if it has none.
  static func with(
    _ http: HTTPTrees, _ responder: HTTPTrees.Responder, trees: any Service = NoTrees(),
    administration: HTTPTrees.Responder? = nil,
    _ body: @escaping @Sendable (Client) async throws -> Void
  ) async throws {
    try await testGracefulShutdown { trigger in
      let (ports, continuation) = AsyncStream<Int>.makeStream()
      let task = Task {
        defer { continuation.finish() }
        try await http.run(responder, trees, administration: administration, until: []) { continuation.yield($0) }
      }
      guard let port = await ports.first(where: { _ in true }) else {
        try await task.value
        throw NotStarted()
      }
      let result: Result<Void, any Error>
      do { result = .success(try await body(Client(port: port))) } catch { result = .failure(error) }
      trigger.triggerGracefulShutdown()
      try await task.value
      try result.get()
    }
  }

  struct NoTrees: Service {
    func run() async throws { try? await gracefulShutdown() }
  }
}
