// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

public import AsyncHTTPClient
import HTTPTypes
public import Hummingbird
import Logging
import NIOCore
import NIOHTTP1
import RIBsStore

/// Sends a request to the process that has the tree, once.
///
/// A request that was sent here by another process, and whose tree is elsewhere again, is refused: the client repeats it
/// a second later, when the tree has arrived. The addresses are internal: use a private network, or TLS with certificates of
/// both sides.
public struct Hop: RouterMiddleware {
  /// Headers of one connection, and those that the other process sets.
  private static let unsent: Set<String> = [
    "connection", "keep-alive", "te", "transfer-encoding", "upgrade", "host", "content-length", "expect",
    "proxy-authorization", "x-ribs-hops", "x-ribs-caller",
  ]

  private let client: HTTPClient
  private let followers: Followers
  private let bodyLimit: Int
  private let timeout: Duration
  private let secret: HopSecret?

  /// In bytes, of an answer that is not a stream of events.
  private static let answerLimit = 1 << 24

  /// - Parameters:
  ///   - client: `client(connections:silence:)`.
  ///   - bodyLimit: the maximum size of the body of a request, in bytes.
  ///   - timeout: how long the other process may take until it begins to answer.
  ///   - secret: `ServerOptions.hopSecret`. With it, the other process gets the caller; without it, it finds the caller again.
  public init(client: HTTPClient, followers: Followers, bodyLimit: Int, timeout: Duration, secret: String? = nil) {
    (self.client, self.followers, self.bodyLimit, self.timeout) = (client, followers, bodyLimit, timeout)
    self.secret = HopSecret(secret)
  }

  /// A client for the connections between processes.
  ///
  /// - Parameters:
  ///   - connections: the maximum number to each other process. A follower keeps one.
  ///   - silence: after which time without a byte a connection is given up. Longer than the pause between heartbeats.
  public static func client(connections: Int, silence: Duration) -> HTTPClient {
    var configuration = HTTPClient.Configuration(
      timeout: .init(connect: .seconds(1), read: TimeAmount(silence)))
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connections
    return HTTPClient(configuration: configuration)
  }

  /// Answers a request, here or in the other process.
  public func handle(
    _ request: Request, context: ServerContext, next: (Request, ServerContext) async throws -> Response
  ) async throws -> Response {
    var request = request
    let body: ByteBuffer
    do { body = try await request.collectBody(upTo: bodyLimit) } catch {
      // The client has closed the connection, or has sent what is no HTTP.
      if error is any HTTPResponseError || error is CancellationError { throw error }
      throw Problem.cutBody
    }
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
    var copy = HTTPClientRequest(url: "http://\(address)\(try request.target())")
    copy.method = .init(rawValue: request.method.rawValue)
    for field in request.headers where !Hop.unsent.contains(field.name.canonicalName) {
      copy.headers.add(name: field.name.rawName, value: field.value)
    }
    copy.headers.replaceOrAdd(name: HTTPField.Name.requestID.rawName, value: context.requestID)
    for (name, value) in try secret?.headers(for: context.caller) ?? [(.hops, "1")] {
      copy.headers.replaceOrAdd(name: name.rawName, value: value)
    }
    if body.readableBytes > 0 { copy.body = .bytes(body) }
    do {
      let answer = try await client.execute(copy, timeout: TimeAmount(timeout))
      if answer.headers.first(name: "content-type") == "text/event-stream" {
        return try followers.follow(
          context.key, request, context.channel, EventFrames(parts: answer.body))
      }
      var headers = HTTPFields()
      for (name, value) in answer.headers where !Hop.unsent.contains(name.lowercased()) {
        if let name = HTTPField.Name(name) { headers.append(HTTPField(name: name, value: value)) }
      }
      // Within the time limit of the call.
      let body = try await answer.body.collect(upTo: Hop.answerLimit)
      return Response(
        status: .init(code: Int(answer.status.code)), headers: headers, body: ResponseBody(byteBuffer: body))
    } catch let problem as Problem {
      throw problem
    } catch {
      // The process has just died, or is being replaced.
      context.logger.warning("not forwarded", metadata: ["to": .string(address), "error": "\(error)"])
      throw Problem(
        .serviceUnavailable, "moving", "The other server does not answer. Repeat the request.", retryAfter: 1)
    }
  }
}

extension Problem {
  fileprivate static var cutBody: Problem {
    var problem = Problem(.badRequest, "cut-body", "The body ends before its length.")
    problem.closesConnection = true
    return problem
  }
}
