import AsyncHTTPClient
import RIBsStore
import Testing

@testable import TaxiServer

@Suite("The operation of a server", .timeLimit(.minutes(10)))
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
      let text = try await server.client.send(.GET, "/metrics").text
      #expect(text.contains("# TYPE http_requests_total counter\n"))
      #expect(text.contains(#"http_requests_total{method="POST",status="201"} 1.0"#))
      #expect(text.contains(#"http_requests_total{method="POST",status="409"} 1.0"#))
      #expect(text.contains("http_request_seconds_count 3\n"))
      #expect(text.contains("followers 1.0\n"))
      #expect(text.contains("ribs_trees 1.0\n"))
      #expect(text.contains(#"ribs_active{rib="Rider"} 1.0"#))
      #expect(!text.contains("anna"))
      withExtendedLifetime(events) {}
    }
  }

  @Test("the server is ready unless the store fails, and alive in any case")
  func health() async throws {
    var options = ServerOptions.test
    options.storeMemory = .seconds(86_400)
    try await RunningServer.with(options) { server in
      try await expect(204) { try await server.client.send(.GET, "/health/ready") }
      server.server.health.record(DirectoryEvent<RiderID>.storeFailed(CancellationError()))
      try await expect(503) { try await server.client.send(.GET, "/health/ready") }
      try await expect(204) { try await server.client.send(.GET, "/health/live") }
      server.server.health.record(DirectoryEvent<RiderID>.storeRecovered)
      try await expect(204) { try await server.client.send(.GET, "/health/ready") }
    }
    options.storeMemory = .zero
    try await RunningServer.with(options) { server in
      server.server.health.record(DirectoryEvent<RiderID>.storeFailed(CancellationError()))
      try await expect(204) { try await server.client.send(.GET, "/health/ready") }
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
    var options = ServerOptions.test
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
