// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import HTTPTypes
import Hummingbird
import NIOEmbedded
import RIBs
import RIBsStore
import Testing

@testable import HTTPTrees
@testable import TaxiServer

@Suite("The administration of trees", .timeLimit(.minutes(5)))
struct AdministrationTests {
  private struct Broken: Error {}

  private final class NoteInteractor: Interactor, Saving {
    struct SavedState: Codable, Sendable { var text = "" }
    var savedState = SavedState() { didSet { setNeedsSave() } }
  }

  private typealias Notes = TreeDirectory<Int, RIBs.Router<NoteInteractor>>

  private let store = MemoryStore()
  private let channel = NIOAsyncTestingChannel()
  private let access = Access(
    identify: { request, _ in
      request.headers[.authorization].map { Caller(id: $0, roles: $0 == "olga" ? ["operator"] : []) }
    },
    read: Access.anyone, change: Access.anyone, delete: Access.anyone,
    administer: { request in request.caller?.roles.contains("operator") == true })

  private func notes() -> Notes {
    Notes(
      "note", in: store, configuration: DirectoryConfiguration(quarantineAfter: 2),
      tree: { _ in TreeConfiguration(leakDetection: .off, onFailure: { _ in }) }, onEvent: { _ in },
      build: { _ in RIBs.Router(interactor: NoteInteractor()) })
  }

  /// Runs a server with operators while the body runs.
  private func with(
    _ notes: Notes, _ access: Access? = nil, timeout: Duration = .seconds(120),
    _ body: @escaping @Sendable (HTTPTrees, HTTPTrees.Responder) async throws -> Void
  ) async throws {
    var options = TaxiOptions.test.http
    options.timeout = timeout
    let http = HTTPTrees(options, access: access ?? self.access, logger: .silent)
    let administration = http.administration { $0.add(notes) }
    try await Program.with(http, http.responder { _ in }) { _ in try await body(http, administration) }
    await notes.shutdown()
  }

  private func send(
    _ method: HTTPRequest.Method, _ path: String, to responder: HTTPTrees.Responder, as caller: String? = "olga"
  ) async throws -> (status: Int, json: [String: Any]) {
    var headers: HTTPFields = [:]
    headers[.authorization] = caller
    let request = Request(
      head: HTTPRequest(method: method, scheme: "http", authority: "a", path: path, headerFields: headers),
      body: RequestBody(buffer: ByteBuffer()))
    let response = try await responder.respond(
      to: request, context: ServerContext(source: .init(channel: channel, logger: .silent)))
    let bytes = BodyBytes()
    try await response.body.write(bytes)
    let json = try? JSONSerialization.jsonObject(with: Data(bytes.all.readableBytesView))
    return (response.status.code, json as? [String: Any] ?? [:])
  }

  private func ids(_ json: [String: Any]) -> [String] {
    (json["trees"] as? [[String: Any]] ?? []).compactMap { tree in
      guard let id = tree["id"] as? String, let state = tree["state"] as? String else { return nil }
      return "\(id) \(state)"
    }
  }

  @Test("lists, shows, ends and removes trees, and opens none")
  func trees() async throws {
    let notes = notes()
    try await with(notes) { _, administration in
      for id in 1...3 { try await notes.perform(on: id) { $0.interactor.savedState.text = "\(id)" } }
      #expect(ids(try await send(.get, "/note", to: administration).json) == ["1 awake", "2 awake", "3 awake"])
      #expect(ids(try await send(.get, "/note?after=2", to: administration).json) == ["3 awake"])
      #expect(ids(try await send(.get, "/note?state=quarantined", to: administration).json) == [])
      #expect(try await send(.get, "/note?state=asleep", to: administration).status == 422)
      let shown = try await send(.get, "/note/2", to: administration)
      #expect(shown.status == 200 && shown.json["state"] as? String == "awake" && shown.json["tree"] != nil)
      // It is saved, and the next call opens it.
      #expect(try await send(.post, "/note/2/end", to: administration).status == 204)
      while notes.ids.count > 2 { await Task.yield() }
      for (method, path) in [(HTTPRequest.Method.get, "/note/2"), (.post, "/note/2/end"), (.get, "/note/9")] {
        #expect(try await send(method, path, to: administration).status == 404)
      }
      #expect(notes.ids.count == 2)
      #expect(try await notes.perform(on: 2) { $0.interactor.savedState.text } == "2")
      #expect(try await send(.delete, "/note/2", to: administration).status == 204)
      #expect(try await notes.perform(onExisting: 2) { $0.interactor.savedState.text } == nil)
      #expect(try await send(.get, "/note/x", to: administration).status == 404)
    }
  }

  @Test("lists more trees than fit on a page, each once")
  func pages() async throws {
    let notes = notes()
    try await with(notes) { _, administration in
      for id in 0..<1_500 { try await notes.perform(on: id) { _ in } }
      let first = try await send(.get, "/note", to: administration).json
      let last = try #require(first["next"] as? String)
      let second = try await send(.get, "/note?after=\(last)", to: administration).json
      #expect(second["next"] == nil && ids(first).count == 1_000)
      #expect(Set(ids(first) + ids(second)).count == 1_500)
    }
  }

  @Test("shows why a tree is quarantined, and retries it")
  func quarantine() async throws {
    let notes = notes()
    try await with(notes) { _, administration in
      try await notes.perform(on: 1) { $0.interactor.savedState.text = "saved" }
      while notes.quarantined.isEmpty {
        _ = try? await notes.perform(on: 1) { $0.interactor.fail(Broken()) }
      }
      #expect(ids(try await send(.get, "/note", to: administration).json) == ["1 quarantined"])
      #expect(ids(try await send(.get, "/note?state=awake", to: administration).json) == [])
      let shown = try await send(.get, "/note/1", to: administration)
      #expect(shown.status == 200 && (shown.json["reason"] as? String)?.contains("Broken") == true, "\(shown)")
      #expect(try await send(.post, "/note/1/retry", to: administration).status == 202)
      #expect(try await notes.perform(on: 1) { $0.interactor.savedState.text } == "saved")
      #expect(ids(try await send(.get, "/note", to: administration).json) == ["1 awake"])
    }
  }

  @Test("is refused to each caller who is no operator, on each route, and by default")
  func refusals() async throws {
    let notes = notes()
    try await notes.perform(on: 1) { $0.interactor.savedState.text = "kept" }
    try await with(notes) { http, administration in
      let routes = http.administrationRouter { $0.add(notes) }.routes.map {
        ($0.method, $0.path.description.replacingOccurrences(of: "{tree}", with: "1"))
      }
      #expect(routes.count == 5)
      let others = Access(read: Access.anyone, change: Access.anyone, delete: Access.anyone)
      try await with(self.notes(), others) { _, withoutRule in
        for (method, path) in routes {
          let statuses = [
            try await send(method, path, to: administration, as: nil).status,
            try await send(method, path, to: administration, as: "anna").status,
            try await send(method, path, to: withoutRule).status,
          ]
          #expect(statuses == [401, 403, 401], "\(method) \(path)")
        }
      }
      #expect(notes.ids == [1])
    }
  }

  @Test("has a limit of its own, which clients can't use up")
  func limit() async throws {
    let notes = notes()
    try await notes.perform(on: 1) { _ in }
    var options = TaxiOptions.test.http
    // One request at once.
    options.ratePerTree = 0.5
    let http = HTTPTrees(options, access: access, logger: .silent)
    let responder = http.responder { router in
      http.trees(router).get("notes/:tree") { _, context in context.key }
    }
    let administration = http.administration { $0.add(notes) }
    try await Program.with(http, responder) { _ in
      while try await send(.get, "/notes/1", to: responder).status != 429 {}
      #expect(try await send(.get, "/note/1", to: administration).status == 200)
    }
    await notes.shutdown()
  }

  @Test("says what a tree does that hangs, and ends it when it returns")
  func hungTree() async throws {
    let notes = notes()
    try await with(notes, timeout: .seconds(8)) { _, administration in
      try await notes.perform(on: 1) { _ in }
      let blockade = DispatchSemaphore(value: 0)
      let call = Task(executorPreference: OwnThreads()) { try await notes.perform(on: 1) { _ in blockade.wait() } }
      while notes.counts.calls == 0 { await Task.yield() }
      let answer = try await send(.post, "/note/1/end", to: administration)
      #expect(answer.status == 504)
      #expect((answer.json["detail"] as? String)?.contains("It ends when its code returns") == true)
      blockade.signal()
      _ = try? await call.value
    }
  }

  @Test("has a port of its own, and none unless it is set")
  func port() async throws {
    let notes = notes()
    try await notes.perform(on: 1) { _ in }
    var options = TaxiOptions.test.http
    for adminPort in [nil, Int.randomUnused] {
      options.adminPort = adminPort
      // An address of no machine, so that a port which is not set can't be served.
      options.adminHost = adminPort == nil ? "192.0.2.1" : "127.0.0.1"
      let http = HTTPTrees(options, access: access, logger: .silent)
      let responder = http.responder { router in
        http.trees(router).get("notes/:tree") { _, context in context.key }
      }
      try await Program.with(http, responder, administration: http.administration { $0.add(notes) }) { client in
        let headers = ["Authorization": "olga"]
        try await expect(200) { try await client.send(.GET, "/notes/1", headers: headers) }
        try await expect(404) { try await client.send(.GET, "/note", headers: headers) }
        guard let adminPort else { return }
        let operators = Client(port: adminPort)
        try await expect(200) { try await operators.send(.GET, "/note", headers: headers) }
        try await expect(404) { try await operators.send(.GET, "/notes/1", headers: headers) }
        try await expect(404) { try await operators.send(.GET, "/metrics", headers: headers) }
      }
    }
    await notes.shutdown()
  }
}

/// The bytes of a body.
private final class BodyBytes: ResponseBodyWriter {
  private(set) var all = ByteBuffer()

  func write(_ buffer: ByteBuffer) async throws { all.writeImmutableBuffer(buffer) }
  func finish(_ trailingHeaders: HTTPFields?) async throws {}
}

/// Runs each job on a thread of its own, which a test may block.
private final class OwnThreads: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    Thread.detachNewThread { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
