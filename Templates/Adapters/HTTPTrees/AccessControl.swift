// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
public import Hummingbird
import NIOCore
public import RIBsStore

/// Who sends a request, and what each caller may do to which tree: the only place that decides about either.
///
/// An action without a rule is refused. So is each request to a server without an `Access`.
///
/// ```swift
/// let tokens = try BearerTokens(file: "tokens")
/// let access = Access(
///   identify: { request, _ in try tokens.caller(of: request) },
///   read: { request in request.caller != nil },
///   change: { request in request.caller?.id == request.key })
/// ```
public typealias Access = TreeAccess<Request, ServerContext>

extension BearerTokens {
  /// The caller of a request; nil without a token.
  public func caller(of request: Request) throws -> Caller? { try caller(ofHeader: request.headers[.authorization]) }
}

/// Finds the caller of each request, decides whether the request is allowed, and limits the requests of each connection,
/// caller and tree.
///
/// The limit of the connection comes first, so that tokens can't be guessed quickly. That of the tree comes last, so that a
/// caller without access to a tree can't use up its limit.
public struct AccessControl: RouterMiddleware {
  private let access: Access
  private let limit: RateLimit
  private let secret: HopSecret?
  /// Nil for that of the method.
  private let action: TreeAction?

  /// - Parameters:
  ///   - secret: that of the processes; nil if a forwarded request is treated as one of a client.
  ///   - action: what all requests do; nil if their method says it.
  init(_ access: Access, _ limit: RateLimit, _ secret: HopSecret?, action: TreeAction? = nil) {
    (self.access, self.limit, self.secret, self.action) = (access, limit, secret, action)
  }

  /// Answers a request, or refuses it.
  public func handle(
    _ request: Request, context: ServerContext, next: (Request, ServerContext) async throws -> Response
  ) async throws -> Response {
    var context = context
    let isForwarded = secret?.isSent(with: request) ?? false
    try limit.takeConnection(context.channel.remoteAddress, isServer: isForwarded)
    if isForwarded {
      context.caller = try HopSecret.caller(of: request)
    } else {
      context.caller = try await access.identify(request, context)
      if let caller = context.caller { try limit.takeCaller(caller) }
    }
    _ = try request.target()
    try decodeKey(&context)
    let route = context.endpointPath ?? ""
    let decided = TreeRequest(
      caller: context.caller, action: action ?? TreeAction(request.method, route), route: route, key: context.key)
    guard access.allows(decided) else { throw context.caller == nil ? Problem.unknownCaller : Problem.forbidden }
    if !context.key.isEmpty { try limit.takeTree(context.key) }
    return try await next(request, context)
  }

  /// Decodes the parameter `tree`, once, so that equal URIs are one tree, in the limits, the decision and the routes.
  private func decodeKey(_ context: inout ServerContext) throws {
    guard let raw = context.parameters.get("tree") else { return }
    // Without `%`, there is nothing to decode. A path is ASCII.
    guard raw.utf8.contains(UInt8(ascii: "%")) else {
      context.key = raw
      return
    }
    guard let key = raw.removingPercentEncoding else {
      throw Problem(.badRequest, "bad-path", "The path is not percent-encoded UTF-8.")
    }
    // Texts that are equal have the same bytes then, also in the store.
    context.key = key.precomposedStringWithCanonicalMapping
    context.coreContext.parameters["tree"] = context.key[...]
  }
}

extension Request {
  /// The path and the query. A target of another form is refused: behind an address it would name another host.
  func target() throws -> String {
    guard let target = head.path, target.hasPrefix("/") else {
      throw Problem(.badRequest, "bad-path", "The target of a request begins with a slash.")
    }
    return target
  }
}

extension TreeAction {
  /// What a request does.
  init(_ method: HTTPRequest.Method, _ route: String) {
    switch method {
    case .get, .head: self = .read
    case .delete where route.hasSuffix("{tree}"): self = .delete
    default: self = .change
    }
  }
}

extension Problem {
  /// The caller is unknown, and the request needs one.
  public static var unknownCaller: Problem {
    Problem(.unauthorized, "unknown-caller", "Sign in, and send the header Authorization.")
  }

  /// The caller may not do this. It does not say whether the tree exists.
  public static var forbidden: Problem { Problem(.forbidden, "forbidden", "You may not do this.") }
}
