// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
public import Hummingbird
import Logging
import Metrics

/// Gives each request an ID, logs and counts it, and turns its error into problem details.
public struct Requests<Inner: HTTPResponder>: HTTPResponder where Inner.Context == ServerContext {
  private let metrics: PrometheusMetrics
  private let describe: @Sendable (any Error) -> Problem?
  private let inner: Inner

  /// - Parameter describe: describes the errors of the program; nil for others.
  public init(metrics: PrometheusMetrics, describe: @escaping @Sendable (any Error) -> Problem?, inner: Inner) {
    (self.metrics, self.describe, self.inner) = (metrics, describe, inner)
  }

  /// Answers a request. Does not throw.
  public func respond(to request: Request, context: ServerContext) async throws -> Response {
    var context = context
    let start = ContinuousClock.now
    // The ID of the client, or of the process that has forwarded the request.
    let sent = request.headers[.requestID].flatMap { $0.isToken ? $0 : nil }
    context.requestID = sent ?? String(UInt64.random(in: .min ... .max), radix: 36)
    context.logger[metadataKey: "request"] = .string(context.requestID)
    var response: Response
    var problem: Problem?
    do {
      response = try await inner.respond(to: request, context: context)
      if response.status.code >= 400, response.headers[.contentType] != Problem.mediaType {
        throw Problem(response.status)
      }
    } catch {
      let described = describe(error) ?? Problem(error)
      response = described.response(closing: context.channel)
      problem = described
    }
    response.headers[.requestID] = context.requestID
    let time = ContinuousClock.now - start
    let labels = [("method", request.method.rawValue), ("status", "\(response.status.code)")]
    Counter(label: "http_requests_total", dimensions: labels, factory: metrics).increment()
    Timer(label: "http_request_seconds", factory: metrics).recordNanoseconds(Int64(time / .nanoseconds(1)))
    log(request, response.status.code, time, problem, context)
    return response
  }

  /// Logs the route, which has no parts that a client has chosen, and why the server could not answer.
  private func log(
    _ request: Request, _ status: Int, _ time: Duration, _ problem: Problem?, _ context: ServerContext
  ) {
    let route = context.endpointPath ?? "unknown"
    var metadata: Logger.Metadata = [
      "method": .string(request.method.rawValue), "route": .string(route),
      "status": .stringConvertible(status), "seconds": .stringConvertible(time / .seconds(1)),
    ]
    if let problem { metadata["problem"] = .string(problem.type) }
    if let cause = problem?.cause { metadata["cause"] = .string(cause) }
    let isProbe = route.hasPrefix("/health") || route == "/metrics"
    // The errors of clients are not those of the server.
    let level: Logger.Level = status == 500 ? .error : status > 500 ? .warning : .info
    context.logger.log(level: isProbe ? .debug : level, "answered", metadata: metadata)
  }
}
