// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import Foundation
import InMemoryLogging
import Logging
import RIBs
import RIBsStore
import RIBsTesting
import Synchronization
import TaxiOrder
import Testing

@testable import HTTPTrees
@testable import TaxiServer

@Suite("The operation of a server", .timeLimit(.minutes(15)))
struct OperationTests {
  @Test("request IDs are kept, and made where they are missing or unfit for a log")
  func requestIDs() async throws {
    try await RunningServer.with { server in
      let client = server.client
      let kept = try await client.send(.GET, "/health/live", headers: ["X-Request-Id": "abc-1"])
      #expect(kept.headers.first(name: "x-request-id") == "abc-1")
      for id in [nil, String(repeating: "a", count: 101), "a b"] {
        let made = try await client.send(
          .GET, "/nowhere", headers: id.map { ["X-Request-Id": $0] } ?? [:])
        #expect(made.headers.first(name: "x-request-id")?.isToken == true)
        #expect(made.headers.first(name: "x-request-id") != id)
      }
    }
  }

  @Test("metrics count requests and followers, without riders")
  func metrics() async throws {
    try await RunningServer.with { server in
      _ = try await server.client.open("anna")
      _ = try await server.client.open("anna")
      let events = try await server.client.events("anna")
      _ = try await server.client.send(.PROPFIND, "/nowhere")
      let text = try await server.client.send(.GET, "/metrics").text
      #expect(text.contains(#"http_requests_total{method="other",status="404"} 1.0"#))
      #expect(!text.contains("PROPFIND"))
      #expect(text.contains("# TYPE http_requests_total counter\n"))
      #expect(text.contains(#"http_requests_total{method="POST",status="201"} 1.0"#))
      #expect(text.contains(#"http_requests_total{method="POST",status="409"} 1.0"#))
      #expect(text.contains("http_request_seconds_count 4\n"))
      #expect(text.contains("followers 1.0\n"))
      #expect(text.contains("ribs_trees 1.0\n"))
      #expect(text.contains(#"ribs_active{rib="Rider"} 1.0"#))
      #expect(!text.contains("anna"))
      withExtendedLifetime(events) {}
    }
  }

  @Test(
    "the dashboard and the alerts use only metrics that the server has", arguments: ["dashboard.json", "alerts.yml"])
  func monitoring(file: String) async throws {
    let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../../Monitoring/\(file)")
      .standardizedFileURL
    let text = try String(contentsOf: url, encoding: .utf8)
    if file.hasSuffix(".json") { _ = try JSONSerialization.jsonObject(with: Data(text.utf8)) }
    let used = Set(text.matches(of: /(?:ribs|http)_[a-z_]+/).map { String($0.0) })
    #expect(used.count >= 5)
    try await RunningServer.with(store: MemoryStore()) { server in
      _ = try await server.client.open("anna")
      let metrics = try await server.client.send(.GET, "/metrics").text
      for name in used { #expect(metrics.contains(name), "\(name)") }
    }
  }

  @Test("metrics of times are histograms, from which Prometheus computes percentiles")
  func histograms() {
    let metrics = PrometheusMetrics()
    let timer = metrics.makeTimer(label: "a_seconds", dimensions: [("b", "c")])
    // On a bound, below the next one, and above the last one.
    for milliseconds: Int64 in [1, 2, 11_000] { timer.recordNanoseconds(milliseconds * 1_000_000) }
    let lines = metrics.text.split(separator: "\n").map(String.init)
    #expect(
      Array(lines.prefix(3)) == [
        "# TYPE a_seconds histogram", #"a_seconds_bucket{b="c",le="0.001"} 1"#,
        #"a_seconds_bucket{b="c",le="0.0025"} 2"#,
      ])
    #expect(
      Array(lines.suffix(4)) == [
        #"a_seconds_bucket{b="c",le="10.0"} 2"#, #"a_seconds_bucket{b="c",le="+Inf"} 3"#,
        #"a_seconds_sum{b="c"} 11.003"#, #"a_seconds_count{b="c"} 3"#,
      ])
  }

  @Test("the server is not ready as long as calls of the store fail, and alive in any case", arguments: [true, false])
  func failingStore(ofSaves: Bool) async throws {
    let fails = Atomic(false)
    let store = FaultyStore(MemoryStore()) { call in
      (call.function == .save) == ofSaves && fails.load(ordering: .relaxed) ? .failsBeforeEffect : nil
    }
    var options = TaxiOptions.test
    options.interval = .milliseconds(10)
    // The lease, which can't be renewed, does not end meanwhile on a busy machine.
    options.lease = .seconds(3_600)
    if ofSaves {
      var impatient = options
      impatient.timeout = .milliseconds(200)
      // Only this call has so little time.
      try await RunningServer.with(impatient, store: store) { server in
        fails.store(true, ordering: .relaxed)
        try await expect(504) { try await server.client.open("anna") }
        fails.store(false, ordering: .relaxed)
      }
    }
    try await RunningServer.with(options, store: store) { server in
      let client = server.client
      try await expect(204) { try await client.send(.GET, "/health/ready") }
      fails.store(true, ordering: .relaxed)
      // Answered when the store works again.
      let call = ofSaves ? Task { try await client.open("ben") } : nil
      while try await client.send(.GET, "/health/ready").status != 503 { await Task.yield() }
      // It stays so during many attempts, whether others succeed or not.
      let count = store.calls.count
      while store.calls.count < count + 10 {
        let ready = try await client.send(.GET, "/health/ready")
        #expect(ready.status == 503)
        #expect(try ready.problem["detail"] as? String == "The store fails.")
        try await expect(204) { try await client.send(.GET, "/health/live") }
      }
      fails.store(false, ordering: .relaxed)
      while try await client.send(.GET, "/health/ready").status != 204 { await Task.yield() }
      if let call { try await expect(201) { try await call.value } }
    }
  }

  @Test("the server is not ready while a call of the store hangs")
  func hangingStore() async throws {
    let hangs = Atomic(false)
    let store = FaultyStore(MemoryStore()) { call in
      call.function == .due && hangs.load(ordering: .relaxed) ? .waits : nil
    }
    var options = TaxiOptions.test
    (options.interval, options.storePatience) = (.milliseconds(10), .milliseconds(20))
    try await RunningServer.with(options, store: store) { server in
      hangs.store(true, ordering: .relaxed)
      while try await server.client.send(.GET, "/health/ready").status != 503 { await Task.yield() }
      hangs.store(false, ordering: .relaxed)
      store.resume()
      while try await server.client.send(.GET, "/health/ready").status != 204 { await Task.yield() }
    }
  }

  @Test("the server is not ready without a lease, until it has the next one")
  func lostLease() async throws {
    let refuses = Atomic(false)
    let store = FaultyStore(MemoryStore()) { call in
      [.renew, .revive].contains(call.function) && refuses.load(ordering: .relaxed) ? .isRefused : nil
    }
    var options = TaxiOptions.test
    (options.interval, options.lease) = (.milliseconds(10), .milliseconds(200))
    try await RunningServer.with(options, store: store) { server in
      refuses.store(true, ordering: .relaxed)
      while try await server.client.send(.GET, "/health/ready").status != 503 { await Task.yield() }
      #expect(
        try await server.client.send(.GET, "/health/ready").problem["detail"] as? String == "The lease has ended.")
      refuses.store(false, ordering: .relaxed)
      while try await server.client.send(.GET, "/health/ready").status != 204 { await Task.yield() }
    }
  }

  @Test("a store that fails is no internal error, and the cause is in the log")
  func storeErrors() async throws {
    let log = InMemoryLogHandler()
    let store = FaultyStore(MemoryStore()) { call in
      switch (call.function, call.keys.first?.id) {
      case (.claim, "anna"): .failsBeforeEffect
      case (.save, "ben"): .isRefused
      default: nil
      }
    }
    try await RunningServer.with(store: store, logger: Logger(label: "test") { _ in log }) { server in
      let unclaimed = try await server.client.open("anna")
      #expect(unclaimed.status == 503)
      #expect(try unclaimed.problem["type"] as? String == "urn:problem:store")
      #expect(unclaimed.headers.first(name: "retry-after") == "1")
      // Another owner has claimed it.
      let fenced = try await server.client.open("ben")
      #expect(fenced.status == 503)
      #expect(try fenced.problem["type"] as? String == "urn:problem:moving")
    }
    let causes = log.entries.filter { $0.message == "answered" }.compactMap { $0.metadata["cause"]?.description }
    #expect(causes.count == 2)
    #expect(causes.first?.contains("claim") == true)
  }

  @Test("a tree that has ended during a call is no internal error")
  func endedTree() async throws {
    let builder = RiderBuilder(services: RiderServices(clock: WallClock(speed: 1), speed: 1, ordersUntilDecline: nil))
    let rider = try #require(RiderID("anna"))
    let host = await TreeHost { builder.build(rider) }
    await host.shutdown()
    let error = await #expect(throws: TreeEnded.self) { try await host.perform { _ in } }
    let problem = Problem(try #require(error))
    #expect(problem.status == 503 && problem.type == "urn:problem:unknown-outcome" && problem.retryAfter == 1)
    #expect(problem.cause?.contains("The tree has ended") == true)
  }

  @Test("requests are logged with their route and status, and nothing that a client has sent")
  func requestLog() async throws {
    let log = InMemoryLogHandler()
    var logger = Logger(label: "test") { _ in log }
    logger.logLevel = .debug
    let store = HangingClaims("stuck")
    try await RunningServer.with(store: store, logger: logger) { server in
      let client = server.client
      _ = try await client.open("marked-rider", key: "marked-key")
      _ = try await client.send(.PATCH, "/riders/marked-rider/order?marked=1", #"{"pickup":"marked","marked":"x"}"#)
      _ = try await client.send(.POST, "/riders/marked-rider/order", #"{"#, headers: ["X-Request-Id": "abc-1"])
      _ = try await client.send(.GET, "/marked", headers: ["Authorization": "marked"])
    }
    // No other call has so little time.
    var options = TaxiOptions.test
    (options.timeout, options.shutdown) = (.seconds(2), .seconds(4))
    try await RunningServer.with(options, store: store, logger: logger) { server in
      try await expect(504) { try await server.client.open("stuck") }
    }
    let answers = log.entries.filter { $0.message == "answered" }
    func text(_ name: String) -> [String] { answers.map { $0.metadata[name]?.description ?? "" } }
    #expect(text("status") == ["201", "422", "400", "404", "504"])
    #expect(
      text("route") == Array(repeating: "/riders/{tree}/order", count: 3) + ["NotFound", "/riders/{tree}/order"])
    #expect(text("request")[2] == "abc-1")
    #expect(answers.map(\.level) == [.info, .info, .info, .info, .warning])
    #expect(text("cause")[4] == "no answer within 2.0 seconds")
    for entry in log.entries {
      let line = "\(entry.message) \(entry.metadata)"
      #expect(!line.contains("marked"), "\(line)")
    }
  }

  @Test("the page and the zones are served")
  func page() async throws {
    try await RunningServer.with { server in
      let page = try await server.client.send(.GET, "/")
      #expect(page.headers.first(name: "content-type") == "text/html; charset=utf-8")
      #expect(page.text.contains("<title>Taxi</title>"))
      #expect(try await server.client.send(.GET, "/zones").text.contains("Elm Court"))
    }
  }

  @Test("a shutdown ends many followers with an event, and saves and gives up all riders")
  func shutdown() async throws {
    let store = MemoryStore()
    let (riders, followers) = (100, 200)
    var options = TaxiOptions.test
    options.speed = 1
    try await RunningServer.with(options, store: store) { server in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<riders {
          group.addTask { try await expect(201) { try await server.client.open("r\(number)") } }
        }
        try await group.waitForAll()
      }
      try await withThrowingTaskGroup(of: String.self) { group in
        let (opened, continuation) = AsyncStream<Void>.makeStream()
        for number in 0..<followers {
          group.addTask {
            var lines = Lines(try await server.client.events("r\(number % riders)").body)
            continuation.yield()
            var last = ""
            while let line = try await lines.next() { if line.hasPrefix("event: ") { last = line } }
            return last
          }
        }
        var count = 0
        for await _ in opened {
          count += 1
          if count == followers { break }
        }
        try await server.stop()
        while let last = try await group.next() { #expect(last == "event: end") }
      }
      #expect(server.server.riders.count == 0)
    }
    #expect(store.records.count == riders)
    try await RunningServer.with(options, store: store) { server in
      try await expect(409) { try await server.client.open("r0") }
    }
  }
}

/// A store in which the claim of one tree hangs.
private struct HangingClaims: ForwardingStore {
  let base: any TreeStore = MemoryStore()
  private let id: String

  init(_ id: String) { self.id = id }

  func claim(_ key: TreeKey, by owner: TreeOwner, schema: Int) async throws -> TreeClaim {
    if key.id == id { try await Task.sleep(for: .seconds(86_400)) }
    return try await base.claim(key, by: owner, schema: schema)
  }
}
