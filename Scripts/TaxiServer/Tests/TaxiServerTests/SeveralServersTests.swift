import RIBsStore
import Testing

@testable import TaxiServer

@Suite("Several servers with one store", .timeLimit(.minutes(10)))
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
      #expect(try answer.problem["type"] as? String == "urn:taxi:moving")
    }
  }

  @Test("say that a request can be repeated if the other one does not answer")
  func unreachable() async throws {
    let store = MemoryStore()
    let owner = TreeOwner(address: "127.0.0.1:1")
    _ = try await store.renew(owner, for: .seconds(86_400))
    _ = try await store.claim(TreeKey(kind: "rider", id: "anna"), by: owner, schema: 1)
    try await RunningServer.with(store: store) { server in
      let answer = try await server.client.open("anna")
      #expect(answer.status == 503)
      #expect(answer.headers.first(name: "retry-after") == "1")
    }
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
private struct Pair: Sendable {
  let first: RunningServer
  let second: RunningServer

  static func with(_ body: @escaping @Sendable (Pair) async throws -> Void) async throws {
    let store = MemoryStore()
    try await RunningServer.withAddress(store) { first in
      try await RunningServer.withAddress(store) { second in
        try await body(Pair(first: first, second: second))
      }
    }
  }
}
