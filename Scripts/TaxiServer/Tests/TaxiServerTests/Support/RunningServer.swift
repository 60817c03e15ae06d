// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import Logging
import RIBsStore
import ServiceLifecycle
import ServiceLifecycleTestKit
import Synchronization
import Testing

@testable import HTTPTrees
@testable import TaxiServer

/// A server in the process of the tests.
struct RunningServer: Sendable {
  let server: TaxiServer
  let client: Client
  private let trigger: GracefulShutdownTestTrigger
  private let task: Task<Void, any Error>

  /// Shuts the server down, as a signal does.
  func stop() async throws {
    trigger.triggerGracefulShutdown()
    try await task.value
  }

  /// Runs a server while the body runs.
  static func with<Value: Sendable>(
    _ options: TaxiOptions = .test, store: (any TreeStore)? = nil, logger: Logger = .silent,
    _ body: @escaping @Sendable (RunningServer) async throws -> Value
  ) async throws -> Value {
    try await with(routes: { _, _ in }, options, store, logger, body)
  }

  /// Runs a server with more routes while the body runs.
  static func with<Value: Sendable>(
    routes: @escaping @Sendable (Hummingbird.Router<ServerContext>, HTTPTrees) -> Void, _ options: TaxiOptions,
    _ store: (any TreeStore)?, _ logger: Logger = .silent,
    _ body: @escaping @Sendable (RunningServer) async throws -> Value
  ) async throws -> Value {
    try await testGracefulShutdown { trigger in
      let server = TaxiServer(
        options.http, speed: options.speed, ordersUntilDecline: options.ordersUntilDecline, store: store,
        schema: options.schema, tokens: options.tokens, logger: logger, addRoutes: routes)
      let (ports, continuation) = AsyncStream<Int>.makeStream()
      let task = Task {
        defer { continuation.finish() }
        try await server.run(until: []) { continuation.yield($0) }
      }
      guard let port = await ports.first(where: { _ in true }) else {
        try await task.value
        throw NotStarted()
      }
      let running = RunningServer(server: server, client: Client(port: port), trigger: trigger, task: task)
      let result = await Result { try await body(running) }
      try await running.stop()
      return try result.get()
    }
  }
}

/// The server could not listen.
struct NotStarted: Error {}

extension RunningServer {
  /// Runs a server with an address for other servers, so its port is chosen before.
  static func withAddress<Value: Sendable>(
    _ store: any TreeStore, _ options: TaxiOptions = .test,
    _ body: @escaping @Sendable (RunningServer) async throws -> Value
  ) async throws -> Value {
    var options = options
    while true {
      options.port = .randomUnused
      options.address = "127.0.0.1:\(options.port)"
      let hasStarted = Mutex(false)
      do {
        return try await with(options, store: store) { server in
          hasStarted.withLock { $0 = true }
          return try await body(server)
        }
      } catch  where !hasStarted.withLock({ $0 }) {
        // The port is in use.
        continue
      }
    }
  }
}

extension Int {
  /// A port that is probably unused: not one of those that the system chooses for connections.
  static var randomUnused: Int { .random(in: 12_000..<32_000) }
}

extension Result where Failure == any Error {
  fileprivate init(_ body: () async throws -> Success) async {
    do { self = .success(try await body()) } catch { self = .failure(error) }
  }
}

/// The options of a server in the process of the tests.
@dynamicMemberLookup
struct TaxiOptions: Sendable {
  var http = ServerOptions()
  var speed = 30
  var ordersUntilDecline: Int?
  /// The version of what is saved of riders.
  var schema = 1
  /// Nil if each client reaches all riders.
  var tokens: BearerTokens?

  subscript<Value>(dynamicMember path: WritableKeyPath<ServerOptions, Value>) -> Value {
    get { http[keyPath: path] }
    set { http[keyPath: path] = newValue }
  }
}

extension TaxiOptions {
  /// Fast, on any free port, with limits that a loaded machine does not reach.
  static var test: TaxiOptions {
    var options = TaxiOptions()
    (options.port, options.speed, options.ordersUntilDecline) = (0, 1_000, nil)
    (options.ratePerTree, options.ratePerCaller, options.ratePerConnection) = (1_000_000, 1_000_000, 1_000_000)
    (options.timeout, options.shutdown) = (.seconds(120), .seconds(240))
    options.storePatience = .seconds(120)
    return options
  }
}

extension Logger {
  static var silent: Logger { Logger(label: "test") { _ in SwiftLogNoOpLogHandler() } }
}
