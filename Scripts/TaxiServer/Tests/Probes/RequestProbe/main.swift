// Answers requests without sockets, for counting the instructions of a request that reads a tree, and of the same
// request that reads a plain actor: RequestProbe tree|actor COUNT

import AsyncHTTPClient
import Foundation
import Hummingbird
import Logging
import NIOEmbedded

@testable import TaxiServer

/// What a server without a tree would have for each rider.
actor PlainRider {
  private let view: RiderView

  init(_ view: RiderView) { self.view = view }

  func answer() -> RiderView { view }
}

let riders = 16
let (kind, count) = (CommandLine.arguments[1], Int(CommandLine.arguments[2]) ?? 0)
var options = ServerOptions()
(options.speed, options.ratePerRider, options.ratePerConnection) = (1, 1e9, 1e9)
let logger = Logger(label: "probe") { _ in SwiftLogNoOpLogHandler() }
let view: RiderView = try JSONDecoder().decode(
  RiderView.self, from: Data(#"{"status":"choosing","actions":["choose","cancel"],"pickup":"here"}"#.utf8))
let plain = Dictionary(uniqueKeysWithValues: (0..<riders).map { ("r\($0)", PlainRider(view)) })
let client = HTTPClient()
let server = TaxiServer(options, store: nil, logger: logger) { router in
  // Behind the same helpers.
  let followers = Followers(
    limit: 1, limitByRider: 1, heartbeat: .seconds(1), drain: .zero, metrics: PrometheusMetrics())
  let group = router.group()
    .add(middleware: RateLimit(perRider: 1e9, perConnection: 1e9))
    .add(middleware: Hop(client: client, followers: followers, bodyLimit: 16_384, timeout: .seconds(5)))
  group.get("plain/:rider") { _, context in
    guard let rider = RiderID(context.parameters.get("rider") ?? ""), let actor = plain[rider.description] else {
      throw Problem(.notFound, "unknown", "")
    }
    return try JSON.response(await actor.answer())
  }
}

func answer(_ method: HTTPRequest.Method, _ path: String, _ body: String = "") async throws -> Response {
  let request = Request(
    head: HTTPRequest(method: method, scheme: "http", authority: "a", path: path),
    body: RequestBody(buffer: ByteBuffer(string: body)))
  let context = ServerContext(source: .init(channel: channel, logger: logger))
  return try await server.responder.respond(to: request, context: context)
}

let channel = NIOAsyncTestingChannel()
for number in 0..<riders { _ = try await answer(.post, "/riders/r\(number)/order", #"{"pickup":"here"}"#) }
for number in 0..<count {
  let path = kind == "tree" ? "/riders/r\(number % riders)" : "/plain/r\(number % riders)"
  let response = try await answer(.get, path)
  guard response.status == .ok else { fatalError("\(response.status)") }
}
try await client.shutdown().get()
