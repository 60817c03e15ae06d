// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix
import RIBsStore
import Testing

@testable import HTTPTrees
@testable import TaxiServer

@Suite("Several servers with one store", .timeLimit(.minutes(15)))
struct SeveralServersTests {
  @Test("send requests and followers to the one that has the rider")
  func hop() async throws {
    try await Pair.with { pair in
      let (one, other) = (pair.first.client, pair.second.client)
      try await expect(201) { try await one.open("anna", key: "1") }
      // With the body and the key.
      try await expect(201) { try await other.open("anna", key: "1") }
      let chosen = try await other.send(
        .PATCH, "/riders/anna/order", #"{"pickup":"here"}"#, headers: ["X-Request-Id": "abc"])
      #expect(try chosen.rider.pickup == "here")
      #expect(chosen.headers.first(name: "x-request-id") == "abc")
      #expect(chosen.headers["content-type"] == ["application/json"])
      let wrong = try await other.send(.PATCH, "/riders/anna/order", #"{"pickup":"Atlantis"}"#)
      #expect(try wrong.wrongFields == ["pickup"])
      #expect(pair.second.server.riders.count == 0)
      #expect(try await other.ride("anna").last?.total != nil)
      #expect(try await other.send(.GET, "/riders/anna/orders").text.contains("completed"))
      #expect(pair.second.server.riders.count == 0)
    }
  }

  @Test("send a request on only once")
  func secondHop() async throws {
    try await Pair.with { pair in
      _ = try await pair.first.client.open("anna")
      let answer = try await pair.second.client.send(.GET, "/riders/anna", headers: ["X-Ribs-Hops": "1"])
      #expect(answer.status == 503)
      #expect(answer.headers.first(name: "retry-after") == "1")
      #expect(try answer.problem["type"] as? String == "urn:problem:moving")
    }
  }

  @Test("say that a request can be repeated if the other one does not answer")
  func unreachable() async throws {
    try await RunningServer.with(store: try await FakeOwner(port: 1).store(having: "anna")) { server in
      let answer = try await server.client.open("anna")
      #expect(answer.status == 503)
      #expect(answer.headers.first(name: "retry-after") == "1")
    }
  }

  @Test("forward requests while many followers are forwarded")
  func manyFollowers() async throws {
    try await Pair.with { pair in
      let (one, other) = (pair.first.client, pair.second.client)
      let count = 24
      var streams: [Lines] = []
      for number in 0..<count {
        try await expect(201) { try await one.open("r\(number)") }
        let stream = try await other.events("r\(number)")
        #expect(stream.status == .ok)
        streams.append(Lines(stream.body))
      }
      #expect(pair.first.server.http.followers.count == count)
      try await expect(200) { try await other.send(.PATCH, "/riders/r0/order", #"{"pickup":"here"}"#) }
      for var lines in streams {
        var line = try await lines.next()
        while line != "event: status" { line = try await lines.next() }
      }
    }
  }

  @Test("end a follower if the other one dies during an event, or is silent", arguments: [true, false])
  func deadOwner(closes: Bool) async throws {
    let answer = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
    // A whole event, and half of one.
    let parts = ["event: status\ndata: 1\n\n", "event: sta"].map { "\(String($0.utf8.count, radix: 16))\r\n\($0)\r\n" }
    try await FakeOwner.with(answer + parts.joined(), closes: closes) { owner in
      var options = TaxiOptions.test
      options.heartbeat = .seconds(2)
      try await RunningServer.with(options, store: try await owner.store(having: "anna")) { server in
        var lines = Lines(try await server.client.events("anna").body)
        var seen: [String] = []
        while let line = try await lines.next() { if !line.isEmpty, line != ":" { seen.append(line) } }
        #expect(
          seen == [
            "retry: 1000", "event: status", "data: 1", "event: end", #"data: {"reason":"the source has failed"}"#,
          ])
        while server.server.http.followers.count > 0 { await Task.yield() }
      }
    }
  }

  @Test("refuse a request if the other one dies during its answer")
  func halfAnAnswer() async throws {
    let answer = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"
    try await FakeOwner.with(answer, closes: true) { owner in
      try await RunningServer.with(store: try await owner.store(having: "anna")) { server in
        try await expect(503) { try await server.client.send(.GET, "/riders/anna") }
      }
    }
  }

  @Test("send a request to no host that its target names")
  func hostInTarget() async throws {
    try await FakeOwner.with("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", closes: true) { other in
      try await RunningServer.with(store: try await FakeOwner(port: 1).store(having: "anna")) { server in
        let target = "*@127.0.0.1:\(other.port)/://h/riders/anna"
        let answer = try await RawConnection.exchange(
          "GET \(target) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", port: server.client.port)
        #expect(answer.hasPrefix("HTTP/1.1 400"))
      }
    }
  }

  @Test("keep headers that are sent several times")
  func repeatedHeaders() async throws {
    let answer = "HTTP/1.1 200 OK\r\nX-A: 1\r\nX-A: 2\r\nContent-Length: 2\r\n\r\n{}"
    try await FakeOwner.with(answer, closes: true) { owner in
      try await RunningServer.with(store: try await owner.store(having: "anna")) { server in
        let answer = try await server.client.send(.GET, "/riders/anna")
        #expect(answer.status == 200)
        #expect(answer.headers["x-a"] == ["1", "2"])
      }
    }
  }

  @Test("cut a stream of events where they end, wherever its parts end", arguments: 1...12)
  func frames(size: Int) async throws {
    let events = ["event: status\ndata: {\"a\":1}\n\n", "event: status\ndata: 2\n\n", "event: end\ndata: {}\n\n"]
    let text = Array((["retry: 1000\n\n", ":\n\n"] + events.dropLast() + [":\n\n", events[2]]).joined().utf8)
    func frames(of bytes: ArraySlice<UInt8>, limit: Int = 1_000) async throws -> [String] {
      let parts = AsyncStream<ByteBuffer> { continuation in
        for start in stride(from: 0, to: bytes.count, by: size) {
          continuation.yield(ByteBuffer(bytes: bytes[start..<min(start + size, bytes.count)]))
        }
        continuation.finish()
      }
      return try await EventFrames(parts: parts, limit: limit).reduce(into: []) { $0.append(String(buffer: $1)) }
    }
    #expect(try await frames(of: text[...]) == events)
    await #expect(throws: EventsEndedEarly.self) { try await frames(of: text.dropLast()) }
    await #expect(throws: EventsEndedEarly.self) { try await frames(of: text.dropLast(events[2].utf8.count)) }
    await #expect(throws: EventTooLarge.self) { try await frames(of: text[...], limit: 8) }
  }

  @Test("continue with the riders of one that stops, whose followers move")
  func drain() async throws {
    try await Pair.with { pair in
      let (one, other) = (pair.first.client, pair.second.client)
      _ = try await one.open("anna")
      try await one.follow("anna", until: "confirming")
      // Through the other one, which survives.
      async let seen = other.follow("anna", until: "completed")
      try await expect(200) { try await one.send(.POST, "/riders/anna/order/confirmation") }
      try await pair.first.stop()
      #expect(try await seen.last?.total != nil)
      #expect(pair.second.server.riders.count == 1)
      #expect(try await other.rider("anna").status == "completed")
    }
  }
}

/// Two servers that know each other's address.
struct Pair: Sendable {
  let first: RunningServer
  let second: RunningServer

  static func with(
    _ options: TaxiOptions = .test, _ body: @escaping @Sendable (Pair) async throws -> Void
  ) async throws {
    let store = MemoryStore()
    try await RunningServer.withAddress(store, options) { first in
      try await RunningServer.withAddress(store, options) { second in
        try await body(Pair(first: first, second: second))
      }
    }
  }
}

/// A process that has riders, and answers each request with the same bytes.
private struct FakeOwner: Sendable {
  let port: Int

  /// A store in which it has a rider.
  func store(having rider: String) async throws -> MemoryStore {
    let store = MemoryStore()
    let owner = TreeOwner(address: "127.0.0.1:\(port)")
    _ = try await store.renew(owner, for: .seconds(86_400))
    let key = TreeKey(kind: "rider", id: rider)
    guard case .claimed(let fence, _) = try await store.claim(key, by: owner, schema: 1) else { return store }
    _ = try await store.save([
      TreeRecord(
        key: key, fence: fence, version: 1, schema: 1, content: .document([]), isAwake: true, isReleased: false)
    ])
    return store
  }

  /// - Parameter closes: whether it closes each connection after the answer.
  static func with(
    _ answer: String, closes: Bool, _ body: @escaping @Sendable (FakeOwner) async throws -> Void
  ) async throws {
    let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .bind(host: "127.0.0.1", port: 0) { channel in
        channel.eventLoop.makeCompletedFuture {
          try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
        }
      }
    let port = listener.channel.localAddress?.port ?? 0
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        try? await listener.executeThenClose { connections in
          try await withThrowingDiscardingTaskGroup { group in
            for try await connection in connections { group.addTask { await serve(connection, answer, closes) } }
          }
        }
      }
      try await body(FakeOwner(port: port))
      group.cancelAll()
    }
  }

  private static func serve(
    _ connection: NIOAsyncChannel<ByteBuffer, ByteBuffer>, _ answer: String, _ closes: Bool
  ) async {
    try? await connection.executeThenClose { inbound, outbound in
      var requests = inbound.makeAsyncIterator()
      _ = try await requests.next()
      try await outbound.write(ByteBuffer(string: answer))
      if !closes { while try await requests.next() != nil {} }
    }
  }
}
