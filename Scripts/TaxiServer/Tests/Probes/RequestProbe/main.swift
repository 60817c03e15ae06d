// Answers requests without sockets, for counting the instructions of a request that reads a tree, and of the same
// request that reads a plain actor: RequestProbe tree|actor COUNT

import Foundation
import HTTPTrees
import Hummingbird
import Logging
import NIOEmbedded
import TaxiServer

/// What a server without a tree would have for each rider.
actor PlainRider {
  private let view: RiderView

  init(_ view: RiderView) { self.view = view }

  func answer() -> RiderView { view }
}

let riders = 16
let (kind, count) = (CommandLine.arguments[1], Int(CommandLine.arguments[2]) ?? 0)
var options = ServerOptions()
(options.ratePerTree, options.ratePerConnection) = (1e9, 1e9)
let logger = Logger(label: "probe") { _ in SwiftLogNoOpLogHandler() }
let view: RiderView = try JSONDecoder().decode(
  RiderView.self, from: Data(#"{"status":"choosing","actions":["choose","cancel"],"pickup":"here"}"#.utf8))
let plain = Dictionary(uniqueKeysWithValues: (0..<riders).map { ("r\($0)", PlainRider(view)) })
let server = TaxiServer(options, speed: 1, ordersUntilDecline: nil, store: nil, logger: logger) { router, http in
  // Behind the same middleware.
  let group = http.trees(router)
  group.get("plain/:tree") { _, context in
    guard let rider = RiderID(context.parameters.get("tree") ?? ""), let actor = plain[rider.description] else {
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
