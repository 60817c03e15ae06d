// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOEmbedded
import RIBsStore
import Synchronization
import Testing

@testable import AuctionHouse
@testable import HTTPTrees

@Suite("Attacks on an auction house", .timeLimit(.minutes(5)))
struct AuctionTests {
  /// Runs an auction house while the body runs. Requests reach it without sockets, and so without limits of the system.
  private func with(_ body: @escaping @Sendable (House) async throws -> Void) async throws {
    var options = TaxiOptions.test.http
    (options.hopSecret, options.address) = ("a secret of the processes", "127.0.0.1:1")
    let store = SlowStore()
    let house = AuctionHouse(
      options, tokens: BearerTokens(["a": Caller(id: "anna"), "b": Caller(id: "ben"), "A": Caller(id: "A")]),
      store: store, logger: .silent)
    try await Program.with(house.http, house.responder, trees: house.service) { client in
      try await body(House(house: house, store: store, client: client))
    }
  }

  @Test("don't reach the auction of another seller, delete none, and name no other caller")
  func others() async throws {
    try await with { house in
      try await house.expect(200, .put, "/auctions/anna.vase", "a")
      try await house.expect(403, .put, "/auctions/anna.chair", "b")
      try await house.expect(403, .post, "/auctions/anna.vase/end", "b")
      try await house.expect(401, .get, "/auctions/anna.vase")
      try await house.expect(200, .get, "/auctions/anna.vase", "b")
      try await house.expect(201, .post, "/auctions/anna.vase/bids/100", "b")
      try await house.expect(409, .post, "/auctions/anna.vase/bids/90", "A")
      // There is a route, and no rule.
      for token in ["a", "b", nil] {
        try await house.expect((token == nil ? 401 : 403), .delete, "/auctions/anna.vase", token)
      }
      var forged: HTTPFields = [:]
      for (name, value) in try #require(HopSecret("guessed")).headers(for: Caller(id: "anna")) { forged[name] = value }
      try await house.expect(401, .post, "/auctions/anna.vase/end", nil, forged)
      try await house.expect(403, .post, "/auctions/anna.vase/end", "b", forged)
      try await house.expect(204, .post, "/auctions/anna.vase/end", "a")
      try await house.expect(409, .post, "/auctions/anna.vase/bids/200", "b")
    }
  }

  @Test("with another spelling of a key reach the same auction")
  func spellings() async throws {
    try await with { house in
      try await house.expect(200, .put, "/auctions/A.vase", "A")
      try await house.expect(200, .put, "/auctions/%41.v%61se", "A")
      try await house.expect(403, .put, "/auctions/%41.vase", "b")
      #expect(house.house.counts().awake == 1)
      try await house.expect(400, .put, "/auctions/%ff", "A")
      try await house.expect(400, .put, "/auctions/A.%4", "A")
    }
  }

  @Test("with 2,000 unknown keys open no tree and write nothing")
  func unknownKeys() async throws {
    try await with { house in
      for number in 0..<2_000 { try await house.expect(404, .get, "/auctions/anna.\(number)", "b") }
      #expect(house.house.counts().awake == 0)
      #expect(house.store.claims.load(ordering: .relaxed) == 0)
    }
  }

  @Test("with more calls of an auction that hangs than may wait refuse the rest, and answer those of others")
  func waitingCalls() async throws {
    // The step soak refuses 9,000.
    let refusals = ProcessInfo.processInfo.environment["RIBS_THOROUGH"] == nil ? 500 : 9_000
    try await with { house in
      try await house.expect(200, .put, "/auctions/anna.vase", "a")
      let answers = Answers()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<1_000 {
          group.addTask { answers.count(try await house.send(.put, "/auctions/anna.slow", "a").status) }
        }
        while house.house.counts().calls < 1_000 { await Task.yield() }
        for _ in 0..<refusals {
          let (status, headers) = try await house.send(.put, "/auctions/anna.slow", "a")
          answers.count(status)
          #expect(headers[.retryAfter] == "1")
        }
        try await house.expect(200, .get, "/auctions/anna.vase", "b")
        #expect(answers.counts == [503: refusals])
        let text = try await house.client.send(.GET, "/metrics").text
        for line in [
          #"ribs_directory_calls{kind="auction"} 1000.0"#,
          #"ribs_directory_calls_refused_total{kind="auction"} \#(refusals).0"#,
          #"ribs_directory_trees{kind="auction",state="opening"} 1.0"#,
          #"ribs_directory_trees{kind="auction",state="awake"} 1.0"#,
        ] {
          #expect(text.contains("\(line)\n"), "\(text)")
        }
        house.store.release()
        try await group.waitForAll()
      }
      #expect(answers.counts == [503: refusals, 200: 1_000])
      try await house.expect(200, .put, "/auctions/anna.slow", "a")
    }
  }

  @Test("are handled by the code in the article about callers")
  func article() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../AuctionHouse")
    let sources = try ["AuctionHouse", "Routes"].map { name in
      try String(contentsOf: folder.appending(path: "\(name).swift").standardizedFileURL, encoding: .utf8)
    }
    let path = "../../../../Sources/RIBsStore/RIBsStore.docc/CallersOfTrees.md"
    let article = try String(contentsOf: folder.appending(path: path).standardizedFileURL, encoding: .utf8)
    // Of its blocks, the code is indented as in the files.
    let samples = article.components(separatedBy: "```").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
      .filter { $0.hasPrefix("\n  ") }.map { $0.dropFirst() }
    #expect(samples.count == 5)
    for sample in samples { #expect(sources.contains { $0.contains(sample) }, "\(sample)") }
  }

  @Test("are handled by a server of at most 80 lines around its RIBs and routes")
  func lines() throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "../AuctionHouse/AuctionHouse.swift").standardizedFileURL
    let count = try OwnCodeTests.code(in: String(contentsOf: file, encoding: .utf8))
    #expect((20...80).contains(count), "\(count)")
  }
}

/// The answers to requests, by their status.
private final class Answers: Sendable {
  private let state = Mutex<[Int: Int]>([:])

  var counts: [Int: Int] { state.withLock { $0 } }

  func count(_ status: Int) { state.withLock { $0[status, default: 0] += 1 } }
}

/// A running auction house.
private struct House: Sendable {
  let house: AuctionHouse
  let store: SlowStore
  let client: Client
  private let channel = NIOAsyncTestingChannel()

  init(house: AuctionHouse, store: SlowStore, client: Client) {
    (self.house, self.store, self.client) = (house, store, client)
  }

  /// - Returns: the status and the headers of the answer.
  func send(
    _ method: HTTPRequest.Method, _ path: String, _ token: String? = nil, _ headers: HTTPFields = [:]
  ) async throws -> (status: Int, headers: HTTPFields) {
    var headers = headers
    if let token { headers[.authorization] = "Bearer \(token)" }
    let request = Request(
      head: HTTPRequest(method: method, scheme: "http", authority: "a", path: path, headerFields: headers),
      body: RequestBody(buffer: ByteBuffer()))
    let context = ServerContext(source: .init(channel: channel, logger: .silent))
    let response = try await house.responder.respond(to: request, context: context)
    return (response.status.code, response.headers)
  }

  /// Expects the status of the answer to a request.
  func expect(
    _ status: Int, _ method: HTTPRequest.Method, _ path: String, _ token: String? = nil, _ headers: HTTPFields = [:],
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let answer = try await send(method, path, token, headers)
    #expect(answer.status == status, sourceLocation: sourceLocation)
  }
}

/// A store in memory whose claims of one key hang until they are released.
private final class SlowStore: ForwardingStore {
  let base: any TreeStore = MemoryStore()
  let claims = Atomic(0)
  private let gate = Mutex<(isOpen: Bool, waiting: [CheckedContinuation<Void, Never>])>((false, []))

  func release() {
    let waiting = gate.withLock { gate in
      gate.isOpen = true
      return gate.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  func claim(_ key: TreeKey, by owner: TreeOwner, schema: Int) async throws -> TreeClaim {
    claims.add(1, ordering: .relaxed)
    if key.id.hasSuffix(".slow") {
      await withCheckedContinuation { continuation in
        let isOpen = gate.withLock { gate in
          if !gate.isOpen { gate.waiting.append(continuation) }
          return gate.isOpen
        }
        if isOpen { continuation.resume() }
      }
    }
    return try await base.claim(key, by: owner, schema: schema)
  }
}
