// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import NIOHTTP1
import RIBsStore
import Support
import Synchronization
import Testing

@testable import HTTPTrees
@testable import TaxiServer

@Suite("The callers of a server, and what each may do", .timeLimit(.minutes(15)))
struct AccessTests {
  /// The routes that need no caller. Add one only if it reaches no tree.
  private static let open: Set = ["GET /", "GET /zones", "GET /health/live", "GET /health/ready", "GET /metrics"]

  /// Two riders, and a dispatcher.
  private static var options: TaxiOptions {
    var options = TaxiOptions.test
    options.tokens = BearerTokens([
      "token-anna": Caller(id: "anna"), "token-A": Caller(id: "A"),
      "token-mara": Caller(id: "mara", roles: ["dispatcher"]),
    ])
    return options
  }

  private static func bearer(_ name: String) -> [String: String] { ["Authorization": "Bearer token-\(name)"] }

  @Test("are unknown without a token, on each route of the server that reaches trees")
  func allRoutes() async throws {
    let routes = Mutex<Set<String>>([])
    try await RunningServer.with(
      routes: { router, _ in routes.withLock { $0 = Set(router.routes.map { "\($0.method.rawValue) \($0.path)" }) } },
      AccessTests.options, nil
    ) { server in
      let all = routes.withLock { $0 }
      #expect(all.isSuperset(of: AccessTests.open) && all.count > AccessTests.open.count + 5)
      for route in all.subtracting(AccessTests.open) {
        let words = route.split(separator: " ").map(String.init)
        let path = words[1].replacingOccurrences(of: "{tree}", with: "anna")
        let answer = try await server.client.send(.RAW(value: words[0]), path)
        #expect(answer.status == 401, "\(route)")
        #expect(answer.headers["www-authenticate"] == ["Bearer"])
        let other = try await server.client.send(.RAW(value: words[0]), path, headers: AccessTests.bearer("A"))
        #expect(other.status == 403, "\(route)")
      }
      #expect(server.server.riders.count == 0)
    }
  }

  @Test("reach only their own tree, and dispatchers reach all")
  func riders() async throws {
    try await RunningServer.with(AccessTests.options) { server in
      let client = server.client
      func status(_ name: String, _ path: String, _ scheme: String = "Bearer") async throws -> Int {
        try await client.send(.PUT, path, headers: ["Authorization": "\(scheme) token-\(name)"]).status
      }
      #expect(try await status("anna", "/riders/anna") == 200)
      #expect(try await status("anna", "/riders/anna", "bearer") == 200)
      #expect(try await status("anna", "/riders/A") == 403)
      #expect(try await status("mara", "/riders/A") == 200)
      #expect(try await status("mara", "/riders/anna") == 200)
      #expect(try await status("unknown", "/riders/anna") == 401)
      #expect(try await status("anna", "/riders/anna", "Basic") == 401)
      let deleted = try await client.send(.DELETE, "/riders/anna", headers: AccessTests.bearer("mara"))
      // There is no such route.
      #expect(deleted.status == 404 || deleted.status == 405)
    }
  }

  @Test("can do nothing on a server without a decision, and delete nothing without a rule about it")
  func refusedByDefault() async throws {
    for (access, statuses) in [(Access(), [401, 401, 401]), (Access(read: Access.anyone), [200, 401, 401])]
      + [(Access(read: Access.anyone, change: Access.anyone), [200, 200, 401])]
    {
      let http = HTTPTrees(TaxiOptions.test.http, access: access, logger: .silent)
      let responder = http.responder { router in
        let tree = http.trees(router).group("trees/:tree")
        tree.get { _, context in context.key }
        tree.delete("part") { _, context in context.key }
        tree.delete { _, context in context.key }
      }
      try await Program.with(http, responder) { client in
        try await expect(statuses[0]) { try await client.send(.GET, "/trees/a") }
        try await expect(statuses[1]) { try await client.send(.DELETE, "/trees/a/part") }
        try await expect(statuses[2]) { try await client.send(.DELETE, "/trees/a") }
      }
    }
  }

  @Test("get keys that are decoded once, so that equal URIs are one tree")
  func keys() async throws {
    try await RunningServer.with(AccessTests.options) { server in
      let client = server.client
      for path in ["/riders/A", "/riders/%41", "/riders//%41/"] {
        try await expect(200) { try await client.send(.PUT, path, headers: AccessTests.bearer("A")) }
        try await expect(403) { try await client.send(.PUT, path, headers: AccessTests.bearer("anna")) }
      }
      #expect(server.server.riders.ids.map(\.description) == ["A"])
      // Encoded twice: the key is "%41", and no rider's.
      try await expect(422) { try await client.send(.PUT, "/riders/%2541", headers: AccessTests.bearer("mara")) }
    }
    let http = HTTPTrees(TaxiOptions.test.http, access: Access(read: Access.anyone), logger: .silent)
    let responder = http.responder { router in
      http.trees(router).get("trees/:tree") { _, context in
        "\(context.key.utf8.count) \(context.parameters.get("tree") == context.key)"
      }
    }
    try await Program.with(http, responder) { client in
      for path in ["/trees/%C3%A9", "/trees/e%CC%81", "/trees/%2F%2f"] {
        let text = try await client.send(.GET, path).text
        #expect(text == "2 true", "\(path)")
      }
    }
  }

  @Test("have a limit of their own, over all their trees, and others can't use up that of a tree")
  func limits() async throws {
    var options = AccessTests.options
    (options.ratePerCaller, options.ratePerTree) = (1, 0.6)
    try await RunningServer.with(options) { server in
      func statuses(_ name: String, _ riders: [String]) async throws -> [Int] {
        var statuses: [Int] = []
        for rider in riders {
          statuses.append(
            try await server.client.send(.PUT, "/riders/\(rider)", headers: AccessTests.bearer(name)).status)
        }
        return statuses
      }
      // Twice the rate at once, however many trees. All at once, because the machine may be slow.
      let ofDispatcher = try await withThrowingTaskGroup(of: Int.self) { group in
        for number in 0..<40 {
          group.addTask {
            try await server.client.send(.PUT, "/riders/r\(number)", headers: AccessTests.bearer("mara")).status
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(Set(ofDispatcher) == [200, 429])
      #expect(ofDispatcher.count { $0 == 200 } >= 2)
      // One at once of the tree: refused ones don't count.
      let ofOther = try await statuses("anna", ["A", "A", "A", "A", "A"])
      #expect(ofOther.prefix(2) == [403, 403])
      #expect(try await statuses("A", ["A"]) == [200])
    }
  }

  @Test("are carried to the process that has the tree", arguments: ["a secret of the processes", nil])
  func hop(secret: String?) async throws {
    var options = AccessTests.options
    options.hopSecret = secret
    try await Pair.with(options) { pair in
      let (one, other) = (pair.first.client, pair.second.client)
      try await expect(201) { try await one.send(.POST, "/riders/anna/order", headers: AccessTests.bearer("anna")) }
      try await expect(200) { try await other.send(.GET, "/riders/anna", headers: AccessTests.bearer("anna")) }
      try await expect(200) { try await other.send(.GET, "/riders/anna", headers: AccessTests.bearer("mara")) }
      try await expect(403) { try await other.send(.GET, "/riders/anna", headers: AccessTests.bearer("A")) }
      #expect(pair.second.server.riders.count == 0)
    }
  }

  @Test("are those of the process that forwards, and not found again, where processes have a secret")
  func carriedCaller() async throws {
    let found = Atomic(0)
    let access = Access(
      identify: { _, _ in
        found.add(1, ordering: .relaxed)
        return nil
      }, read: { $0.caller?.id == $0.key })
    var options = TaxiOptions.test.http
    options.hopSecret = "a secret of the processes"
    let http = HTTPTrees(options, access: access, logger: .silent)
    let responder = http.responder { router in
      http.trees(router).get("trees/:tree") { _, context in context.caller?.id ?? "" }
    }
    let headers = Dictionary(
      uniqueKeysWithValues: try #require(HopSecret("a secret of the processes")).headers(for: Caller(id: "anna")).map {
        ($0.0.rawName, $0.1)
      })
    try await Program.with(http, responder) { client in
      let text = try await client.send(.GET, "/trees/anna", headers: headers).text
      #expect(text == "anna")
      try await expect(403) { try await client.send(.GET, "/trees/A", headers: headers) }
      #expect(found.load(ordering: .relaxed) == 0)
      // Forged: without the secret, with a part of it, with another one, and twice.
      for secret in [nil, "1", "", "a secret of the processe", "a secret of the processez"] {
        var forged = headers
        forged["X-Ribs-Hops"] = secret
        try await expect(401) { try await client.send(.GET, "/trees/anna", headers: forged) }
      }
    }
  }

  @Test("can't be forged through a process that forwards")
  func forgedThroughProcess() async throws {
    var options = AccessTests.options
    options.hopSecret = "a secret of the processes"
    let forged = try #require(HopSecret("x")).headers(for: Caller(id: "anna", roles: ["dispatcher"]))
    try await Pair.with(options) { pair in
      try await expect(201) {
        try await pair.first.client.send(.POST, "/riders/anna/order", headers: AccessTests.bearer("anna"))
      }
      for client in [pair.first.client, pair.second.client] {
        for name in ["", "A"] {
          var headers = name.isEmpty ? [:] : AccessTests.bearer(name)
          for (field, value) in forged { headers[field.rawName] = value }
          try await expect(name.isEmpty ? 401 : 403) { try await client.send(.GET, "/riders/anna", headers: headers) }
          headers["X-Ribs-Hops"] = nil
          try await expect(name.isEmpty ? 401 : 403) { try await client.send(.GET, "/riders/anna", headers: headers) }
        }
      }
    }
  }

  @Test("can have values that the program adds to the context")
  func values() async throws {
    struct Tenant: ServerContextKey { typealias Value = String }
    struct TenantMiddleware: RouterMiddleware {
      func handle(
        _ request: Request, context: ServerContext, next: (Request, ServerContext) async throws -> Response
      ) async throws -> Response {
        var context = context
        context[Tenant.self] = request.headers[.userAgent]
        return try await next(request, context)
      }
    }
    let access = Access(
      identify: { _, context in context[Tenant.self].map { Caller(id: $0) } }, read: { $0.caller != nil })
    let http = HTTPTrees(TaxiOptions.test.http, access: access, logger: .silent)
    let responder = http.responder { router in
      router.add(middleware: TenantMiddleware())
      http.trees(router).get("trees/:tree") { _, context in
        "\(context.caller?.id ?? "") \(context[Tenant.self] ?? "")"
      }
    }
    try await Program.with(http, responder) { client in
      let text = try await client.send(.GET, "/trees/a", headers: ["User-Agent": "red"]).text
      #expect(text == "red red")
    }
  }
}
