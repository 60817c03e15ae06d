// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

// Answers requests without sockets, and compares the time of a request that reads a tree with that of the same request
// that reads a plain actor: RequestProbe COUNT. Exits with 1 if a tree takes more than 1.3 times as long. Then measures what
// requests notice of a tree that hangs: exits with 1 if refused calls leave memory.

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
let count = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 2_000
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
// Lives as long as the process, because its HTTP client is not shut down.
let hungTree = HungTree()
for number in 0..<riders { _ = try await answer(.post, "/riders/r\(number)/order", #"{"pickup":"here"}"#) }

/// The time of a request on average.
func time(_ path: String) async throws -> Duration {
  let start = ContinuousClock.now
  for number in 0..<count {
    let response = try await answer(.get, "\(path)/r\(number % riders)")
    guard response.status == .ok else { fatalError("\(response.status)") }
  }
  return (ContinuousClock.now - start) / count
}

// Alternately, and the best of each: other programs have disturbed that one least.
var best: [String: Duration] = [:]
for _ in 0..<20 {
  for path in ["/riders", "/plain"] { best[path] = min(best[path] ?? .seconds(1), try await time(path)) }
}
if let tree = best["/riders"], let plain = best["/plain"] {
  let ratio = tree / plain
  print("request to a tree: \(tree / .microseconds(1)) µs; to a plain actor: \(plain / .microseconds(1)) µs; \(ratio)")
  exit(try await hungTree.measure() && ratio <= 1.3 ? 0 : 1)
}
