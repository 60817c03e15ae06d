// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import Foundation
import RIBsStore
import Synchronization
import Testing

@testable import HTTPTrees
@testable import TaxiServer
@testable import taxi_load

#if PostgreSQL
  import PostgreSQLStore
#endif

/// One after the other: servers with a later schema take over what a killed one of another test leaves in the database.
@Suite("A rolling restart", .serialized, .timeLimit(.minutes(20)))
struct RollingRestartTests {
  @Test(
    "of three servers under load fails no request, but repeated ones, and loses no order, also to a later schema",
    arguments: [1, 2])
  func memoryStore(_ schema: Int) async throws {
    let store = MemoryStore()
    try await restartUnderLoad(prefix: "r", schema) { store }
  }

  @Test("leaves what a later schema has saved to the processes that know it, and hands over what an earlier one saved")
  func laterSchemaInMemory() async throws {
    let store = MemoryStore()
    try await expectHandover(prefix: "m") { store }
  }

  /// Restarts three servers with a schema while orders run.
  func restartUnderLoad(
    prefix: String, _ schema: Int, _ store: @escaping @Sendable () async throws -> any TreeStore
  ) async throws {
    let (starts, hasStarted) = AsyncStream<Int>.makeStream()
    let slots = (0..<3).map { _ in Slot() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (index, slot) in slots.enumerated() {
        group.addTask { try await slot.run(try await store(), schema) { hasStarted.yield(index) } }
      }
      for _ in slots { _ = await starts.first { _ in true } }
      try await load(slots.map { "http://127.0.0.1:\($0.port)" }, prefix: prefix, orders: 40) {
        for slot in slots {
          slot.next()
          _ = await starts.first { _ in true }
        }
      }
      for slot in slots { slot.end() }
      try await group.waitForAll()
    }
  }

  /// Runs a server of the version before beside servers with a later schema.
  func expectHandover(
    prefix: String, _ store: @escaping @Sendable () async throws -> any TreeStore
  ) async throws {
    var later = TaxiOptions.test
    later.schema = 2
    let (options, new, old) = (later, "\(prefix)-new", "\(prefix)-old")
    try await RunningServer.withAddress(try await store(), options) { first in
      try await RunningServer.withAddress(try await store()) { before in
        try await expect(201) { try await first.client.open(new) }
        try await expect(201) { try await before.client.open(old) }
        // By a hop to the one that has the rider.
        try await expect(200) { try await before.client.send(.GET, "/riders/\(new)") }
        try await first.stop()
        // No process has the rider now, but this one can't read it.
        let answers = [
          try await before.client.send(.GET, "/riders/\(new)"),
          try await before.client.send(.DELETE, "/riders/\(new)/order"),
        ]
        for answer in answers {
          #expect(answer.status == 503)
          #expect(answer.text.contains("later-version"), "\(answer.text)")
        }
      }
      try await RunningServer.withAddress(try await store(), options) { second in
        // Refused, because the orders are still open.
        for rider in [new, old] { try await expect(409) { try await second.client.open(rider) } }
      }
    }
  }
}

#if PostgreSQL
  extension RollingRestartTests {
    @Test(
      "on PostgreSQL loses no order to a later schema",
      .enabled(if: database != nil, "There is no database: run the tests with Scripts/with-postgres."))
    func laterSchema() async throws {
      let database = try #require(RollingRestartTests.database)
      let name = "s\(UInt32.random(in: 0 ... .max))"
      try await restartUnderLoad(prefix: name, 2) { try await PostgreSQLStore(database) }
      try await expectHandover(prefix: name) { try await PostgreSQLStore(database) }
    }
  }
#endif

extension RollingRestartTests {
  static let database = ProcessInfo.processInfo.environment["RIBS_POSTGRES"]

  @Test(
    "of three processes on PostgreSQL fails no request, but repeated ones, and loses no order, also after kill -9",
    .enabled(if: database != nil, "There is no database: run the tests with Scripts/with-postgres."))
  func postgreSQL() async throws {
    let database = try #require(RollingRestartTests.database)
    let arguments = ["--store", database, "--address", "127.0.0.1:PORT", "--shutdown", "120"]
    var started: [ServerProcess] = []
    for _ in 0..<3 { started.append(try await ServerProcess.start(arguments)) }
    let processes = started
    let nexts = Mutex<[ServerProcess]>([])
    try await load(processes.map { "http://127.0.0.1:\($0.client.port)" }, prefix: "p", orders: 40) {
      for (number, process) in processes.enumerated() {
        let status = await process.end(number == 1 ? SIGKILL : SIGTERM)
        #expect(number == 1 || status == 0)
        // At the same address: the riders of the one that was killed are taken over at once.
        let next = try await ServerProcess.start(port: process.client.port, arguments)
        nexts.withLock { $0.append(next) }
      }
    }
    for process in nexts.withLock({ $0 }) {
      let status = await process.end(SIGTERM)
      #expect(status == 0)
    }
  }
}

/// Runs whole orders while something else happens, and expects that all succeed.
func load(
  _ servers: [String], prefix: String = "r", orders: Int, while body: @escaping @Sendable () async throws -> Void
) async throws {
  var configuration = HTTPClient.Configuration(timeout: .init(connect: .seconds(60)))
  configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 10_000
  configuration.connectionPool.retryConnectionEstablishment = false
  let client = HTTPClient(configuration: configuration)
  let results = Results()
  try await withThrowingTaskGroup(of: Void.self) { group in
    // Half of the orders begin before, the others one after the other in four lanes meanwhile.
    for number in 0..<orders / 2 {
      group.addTask { await order(number).run(scheduled: .now) }
    }
    for lane in 0..<4 {
      group.addTask {
        for number in stride(from: orders / 2 + lane, to: orders, by: 4) { await order(number).run(scheduled: .now) }
      }
    }
    group.addTask(operation: body)
    try await group.waitForAll()
  }
  try await client.shutdown()
  #expect(results.failures == 0, "\(results.text(duration: .seconds(1)))")
  #expect(results.outcomes == ["completed": orders])

  @Sendable func order(_ number: Int) -> Order {
    Order(
      rider: "\(prefix)\(number)", servers: servers, number: number, patience: .seconds(120), client: client,
      results: results)
  }
}

/// A server that is restarted at the same address.
private final class Slot: Sendable {
  private let state = Mutex(0)
  private let commands: AsyncStream<Bool>
  private let command: AsyncStream<Bool>.Continuation

  init() { (commands, command) = AsyncStream<Bool>.makeStream() }

  var port: Int { state.withLock { $0 } }

  /// Restarts the server.
  func next() { command.yield(true) }

  func end() { command.yield(false) }

  /// Runs a server of the first schema until it is restarted with another one.
  func run(_ store: any TreeStore, _ schema: Int, _ onStart: @escaping @Sendable () -> Void) async throws {
    try await RunningServer.withAddress(store) { server in
      self.state.withLock { $0 = server.client.port }
      onStart()
      _ = await self.commands.first { _ in true }
    }
    var options = TaxiOptions.test
    options.port = port
    options.address = "127.0.0.1:\(port)"
    options.schema = schema
    try await RunningServer.with(options, store: store) { _ in
      onStart()
      _ = await self.commands.first { _ in true }
    }
  }
}
