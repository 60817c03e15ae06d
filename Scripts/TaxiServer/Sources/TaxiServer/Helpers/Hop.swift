import AsyncHTTPClient
import HTTPTypes
import Hummingbird
import NIOCore
import RIBsStore

/// Sends a request to the process that has the rider's tree, once.
///
/// A request that was sent here by another process, and whose tree is elsewhere again, is refused: the client repeats it
/// a second later, when the tree has arrived. The addresses are internal: use a private network, or TLS with certificates of
/// both sides.
struct Hop: RouterMiddleware {
  /// Headers of one connection, and those that the other process sets.
  private static let unsent: Set<String> = [
    "connection", "keep-alive", "te", "transfer-encoding", "upgrade", "host", "content-length", "expect",
    "proxy-authorization",
  ]

  let client: HTTPClient
  let followers: Followers
  let bodyLimit: Int
  let timeout: Duration

  func handle(
    _ request: Request, context: ServerContext, next: (Request, ServerContext) async throws -> Response
  ) async throws -> Response {
    var request = request
    let body = try await request.collectBody(upTo: bodyLimit)
    do {
      return try await next(request, context)
    } catch let error as TreeElsewhere where request.headers[.hops] == nil && !error.address.isEmpty {
      context.logger.debug("forwarded", metadata: ["to": .string(error.address)])
      return try await forward(request, body, to: error.address, context)
    }
  }

  private func forward(
    _ request: Request, _ body: ByteBuffer, to address: String, _ context: ServerContext
  ) async throws -> Response {
    var copy = HTTPClientRequest(url: "http://\(address)\(request.uri)")
    copy.method = .init(rawValue: request.method.rawValue)
    for field in request.headers where !Hop.unsent.contains(field.name.canonicalName) {
      copy.headers.add(name: field.name.rawName, value: field.value)
    }
    copy.headers.replaceOrAdd(name: HTTPField.Name.requestID.rawName, value: context.requestID)
    copy.headers.replaceOrAdd(name: HTTPField.Name.hops.rawName, value: "1")
    if body.readableBytes > 0 { copy.body = .bytes(body) }
    let answer: HTTPClientResponse
    do {
      answer = try await client.execute(copy, timeout: TimeAmount(timeout))
    } catch {
      // The process has just died, or is being replaced.
      context.logger.warning("not forwarded", metadata: ["to": .string(address), "error": "\(error)"])
      throw Problem(
        .serviceUnavailable, "moving", "The rider's server does not answer. Repeat the request.", retryAfter: 1)
    }
    if answer.headers.first(name: "content-type") == "text/event-stream" {
      return try followers.follow(context.parameters.get("rider") ?? "", request, answer.body)
    }
    var headers = HTTPFields()
    for (name, value) in answer.headers where !Hop.unsent.contains(name.lowercased()) {
      if let name = HTTPField.Name(name) { headers[name] = value }
    }
    return Response(
      status: .init(code: Int(answer.status.code)), headers: headers, body: ResponseBody(asyncSequence: answer.body))
  }
}
