// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

public import Hummingbird
import RIBsStore

/// Answers requests within a time limit, whatever they wait for: the body, the tree, the store, or another process.
public struct TimeLimit<Inner: HTTPResponder>: HTTPResponder where Inner.Context == ServerContext {
  private let limit: Duration
  private let inner: Inner

  /// Limits the time of the calls of another responder.
  public init(limit: Duration, inner: Inner) { (self.limit, self.inner) = (limit, inner) }

  /// Answers a request, or throws `Problem.timedOut`.
  public func respond(to request: Request, context: ServerContext) async throws -> Response {
    let response = try await withTimeLimit(limit) { [inner] in try await inner.respond(to: request, context: context) }
    guard let response else {
      var problem = Problem.timedOut
      problem.cause = "no answer within \(limit)"
      throw problem
    }
    return response
  }
}

extension Problem {
  /// Its connection is closed, because the rest of the request may be missing.
  public static var timedOut: Problem {
    var problem = Problem(
      .gatewayTimeout, "timed-out",
      "The request was not answered in time, and may have been carried out. Repeat it with the same Idempotency-Key.",
      retryAfter: 1)
    problem.closesConnection = true
    return problem
  }
}
