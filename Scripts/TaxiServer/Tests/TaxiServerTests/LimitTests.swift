// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import NIOCore
import NIOPosix
import RIBsStore
import Synchronization
import Testing

@testable import HTTPTrees
@testable import TaxiServer

@Suite("The limits of a server", .timeLimit(.minutes(15)))
struct LimitTests {
  @Test("refuse a huge body, and the server goes on")
  func hugeBody() async throws {
    try await RunningServer.with { server in
      let body = #"{"pickup":""# + String(repeating: "x", count: 1 << 22) + #""}"#
      // The connection may be closed before the client has sent everything.
      if let answer = try? await server.client.send(.POST, "/riders/anna/order", body) { #expect(answer.status == 413) }
      try await expect(404) { try await server.client.send(.GET, "/riders/anna") }
    }
  }

  @Test("refuse a huge header, and the server goes on")
  func hugeHeader() async throws {
    try await RunningServer.with { server in
      let text = "GET /health/live HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "x", count: 100_000))\r\n\r\n"
      let answer = try await RawConnection.exchange(text, port: server.client.port)
      #expect(!answer.contains(" 20"))
      try await expect(204) { try await server.client.send(.GET, "/health/live") }
    }
  }

  @Test("close connections that send no request, or half of one")
  func slowHead() async throws {
    var options = TaxiOptions.test
    options.idleConnection = .milliseconds(50)
    try await RunningServer.with(options) { server in
      // Returns when the server has closed the connection.
      let nothing = try await RawConnection.exchange("", port: server.client.port)
      #expect(nothing == "")
      let half = try await RawConnection.exchange("GET / HTTP/1.1\r\nHo", port: server.client.port)
      #expect(!half.contains(" 200"))
    }
  }

  @Test("end calls in time, if the client does not send its body")
  func slowBody() async throws {
    var options = TaxiOptions.test
    options.timeout = .milliseconds(100)
    try await RunningServer.with(options) { server in
      let text = "POST /riders/anna/order HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{"
      let answer = try await RawConnection.exchange(text, port: server.client.port)
      #expect(answer.hasPrefix("HTTP/1.1 504"))
    }
  }

  @Test("end calls in time, if the store hangs")
  func hangingStore() async throws {
    var options = TaxiOptions.test
    (options.timeout, options.shutdown) = (.seconds(1), .seconds(4))
    try await RunningServer.with(options, store: HangingStore()) { server in
      let answer = try await server.client.open("anna")
      #expect(answer.status == 504)
      #expect(try answer.problem["type"] as? String == "urn:problem:timed-out")
      try await expect(204) { try await server.client.send(.GET, "/health/live") }
    }
  }

  @Test("refuse more requests than the rate of a rider and of a connection")
  func rates() async throws {
    var options = TaxiOptions.test
    options.ratePerTree = 0.001
    try await RunningServer.with(options) { server in
      let answers = [
        try await server.client.send(.GET, "/riders/anna"), try await server.client.send(.GET, "/riders/anna"),
      ]
      #expect(answers.map(\.status) == [404, 429])
      #expect(answers[1].headers.first(name: "retry-after") != nil)
    }
    options.ratePerTree = 1
    options.ratePerConnection = 1_000_000
    try await RunningServer.with(options) { server in
      try await expect(200) { try await server.client.send(.PUT, "/riders/ben") }
      try await expect(200) { try await server.client.send(.PUT, "/riders/cleo") }
    }
    options.ratePerConnection = 0.001
    try await RunningServer.with(options) { server in
      try await expect(404) { try await server.client.send(.GET, "/riders/ben") }
      try await expect(429) { try await server.client.send(.GET, "/riders/ben") }
      try await expect(204) { try await server.client.send(.GET, "/health/live") }
    }
  }

  @Test(
    "refuse more requests than the rate of a connection, also from a client that calls itself a server",
    arguments: ["", "a:1"])
  func forgedHops(address: String) async throws {
    var options = TaxiOptions.test
    (options.ratePerConnection, options.address) = (0.001, address)
    try await RunningServer.with(options) { server in
      _ = try await server.client.send(.GET, "/riders/ben", headers: ["X-Ribs-Hops": "1"])
      try await expect(429) { try await server.client.send(.GET, "/riders/ben", headers: ["X-Ribs-Hops": "1"]) }
    }
  }

  @Test("close connections of followers that don't read")
  func unreadEvents() async throws {
    var options = TaxiOptions.test
    options.heartbeat = .milliseconds(20)
    try await RunningServer.with(
      routes: { router, http in
        router.get("large") { request, context in
          // More than the buffers of the system hold.
          let events = AsyncStream { Followers.event("status", String(repeating: "x", count: 1 << 22)) }
          return try http.followers.follow("anna", request, context.channel, events)
        }
      }, options, nil
    ) { server in
      let kept = try await RawConnection.open("GET /large HTTP/1.1\r\nHost: a\r\n\r\n", port: server.client.port)
      while server.server.http.followers.count == 0 { await Task.yield() }
      while server.server.http.followers.count > 0 { await Task.yield() }
      try await kept.close()
    }
  }

  @Test("close connections of clients that send requests and read no answers")
  func unreadAnswers() async throws {
    var options = TaxiOptions.test
    options.heartbeat = .milliseconds(20)
    let isClosed = Mutex(false)
    try await RunningServer.with(
      routes: { router, _ in
        router.get("large") { _, context in
          context.channel.closeFuture.whenComplete { _ in isClosed.withLock { $0 = true } }
          return Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(repeating: 0, count: 1 << 20)))
        }
      }, options, nil
    ) { server in
      // Their answers are more than the buffers of the system hold.
      let text = String(repeating: "GET /large HTTP/1.1\r\nHost: a\r\n\r\n", count: 1_000)
      let kept = try await RawConnection.open(text, port: server.client.port)
      while !isClosed.withLock({ $0 }) { await Task.yield() }
      try? await kept.close()
    }
  }

  @Test("blame a client that ends the connection before its body")
  func cutBody() async throws {
    try await RunningServer.with { server in
      let text = "POST /riders/anna/order HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{"
      try await RawConnection.open(text, port: server.client.port).close()
      var counts: [Substring] = []
      while counts.isEmpty {
        await Task.yield()
        counts = server.server.http.metrics.text.split(separator: "\n").filter { $0.contains("method=\"POST\"") }
      }
      #expect(counts.allSatisfy { $0.contains("status=\"400\"") }, "\(counts)")
    }
  }

  @Test("say that the connection of a follower is closed at the end, so that the next request has another one")
  func connectionOfFollower() async throws {
    try await RunningServer.with(
      routes: { router, http in
        router.get("events") { request, context in
          let events = AsyncStream { continuation in
            continuation.yield(Followers.event("status", "1"))
            continuation.finish()
          }
          return try http.followers.follow("anna", request, context.channel, events, ending: "test")
        }
      }, .test, nil
    ) { server in
      for _ in 0..<200 {
        let answer = try await server.client.send(.GET, "/events")
        #expect(answer.headers["connection"] == ["close"])
        #expect(answer.text.hasSuffix("event: end\ndata: {\"reason\":\"test\"}\n\n"))
      }
    }
  }

  @Test("refuse more followers than allowed, of a rider and of all")
  func followerLimits() async throws {
    var options = TaxiOptions.test
    (options.followers, options.followersPerTree) = (3, 2)
    try await RunningServer.with(options) { server in
      let client = server.client
      for rider in ["anna", "ben", "cleo"] { try await client.register(rider) }
      let kept = [try await client.events("anna"), try await client.events("anna")]
      #expect(try await client.events("anna").status == .tooManyRequests)
      let other = try await client.events("ben")
      #expect(try await client.events("cleo").status == .serviceUnavailable)
      #expect(server.server.http.followers.count == 3)
      withExtendedLifetime((kept, other)) {}
    }
  }

  @Test("don't count followers that have gone")
  func goneFollowers() async throws {
    var options = TaxiOptions.test
    (options.followers, options.heartbeat) = (1, .milliseconds(20))
    try await RunningServer.with(options) { server in
      try await server.client.register("anna")
      for _ in 0..<3 {
        // Refused until the server has noticed that the one before is gone.
        while try await server.client.events("anna").status != .ok { await Task.yield() }
      }
    }
  }

  @Test("let the server stop, although followers don't read, and one doesn't disturb others")
  func slowFollowers() async throws {
    var options = TaxiOptions.test
    options.shutdown = .seconds(4)
    try await RunningServer.with(options) { server in
      try await server.client.register("anna")
      var kept: [RawConnection] = []
      for _ in 0..<4 {
        kept.append(
          try await RawConnection.open("GET /riders/anna/events HTTP/1.1\r\nHost: a\r\n\r\n", port: server.client.port))
      }
      _ = try await server.client.open("anna")
      #expect(try await server.client.ride("anna").last?.status == "completed")
      try await server.stop()
      withExtendedLifetime(kept) {}
    }
  }
}

/// A store that never answers.
private struct HangingStore: TreeStore {
  func claim(_ key: TreeKey, by owner: TreeOwner, schema: Int) async throws -> TreeClaim {
    try await Task.sleep(for: .seconds(86_400))
    throw CancellationError()
  }

  func save(_ records: [TreeRecord]) async throws -> Set<TreeKey> { [] }
  func due(_ kind: String, limit: Int, schema: Int) async throws -> [TreeKey] { [] }
  func renew(_ owner: TreeOwner, for duration: Duration) async throws -> Bool { true }
}

/// A connection without HTTP, for clients that don't behave.
struct RawConnection: Sendable {
  private let channel: NIOAsyncChannel<ByteBuffer, ByteBuffer>

  /// Connects and sends a text. Nothing is read.
  static func open(_ text: String, port: Int) async throws -> RawConnection {
    let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .channelOption(.autoRead, value: false)
      .connect(host: "127.0.0.1", port: port) { channel in
        channel.eventLoop.makeCompletedFuture {
          try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
        }
      }
    try await channel.channel.writeAndFlush(ByteBuffer(string: text))
    return RawConnection(channel: channel)
  }

  func close() async throws { try await channel.channel.close() }

  /// Sends a text, and reads until the server closes the connection.
  static func exchange(_ text: String, port: Int) async throws -> String {
    let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .connect(host: "127.0.0.1", port: port) { channel in
        channel.eventLoop.makeCompletedFuture {
          try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
        }
      }
    return try await channel.executeThenClose { inbound, outbound in
      var answer = ""
      do {
        try await outbound.write(ByteBuffer(string: text))
        for try await part in inbound { answer += String(buffer: part) }
      } catch {
        // The server has reset the connection.
      }
      return answer
    }
  }
}
