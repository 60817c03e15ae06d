// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
public import Hummingbird
import Logging
import Metrics
import Synchronization

/// Gives each request an ID, logs and counts it, and turns its error into problem details.
public struct Requests<Inner: HTTPResponder>: HTTPResponder where Inner.Context == ServerContext {
  private let counts: RequestCounts
  private let describe: @Sendable (any Error) -> Problem?
  private let inner: Inner

  /// - Parameter describe: describes the errors of the program; nil for others.
  public init(metrics: PrometheusMetrics, describe: @escaping @Sendable (any Error) -> Problem?, inner: Inner) {
    (counts, self.describe, self.inner) = (RequestCounts(metrics), describe, inner)
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
    counts.didAnswer(request.method, response.status.code, in: time)
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

/// Counts the answered requests. Each instrument is made once, because its name and labels are texts.
private final class RequestCounts: Sendable {
  private struct Labels: Hashable {
    /// Nil for a method that routes don't have, of which clients may send any.
    let method: HTTPRequest.Method?
    let status: Int
  }

  private static let methods: Set<HTTPRequest.Method> = [.get, .head, .post, .put, .patch, .delete, .options]

  private let metrics: PrometheusMetrics
  private let timer: Metrics.Timer
  private let counters = Mutex<[Labels: Counter]>([:])

  init(_ metrics: PrometheusMetrics) {
    self.metrics = metrics
    timer = Timer(label: "http_request_seconds", factory: metrics)
  }

  func didAnswer(_ method: HTTPRequest.Method, _ status: Int, in time: Duration) {
    let method = RequestCounts.methods.contains(method) ? method : nil
    counter(Labels(method: method, status: status)).increment()
    timer.recordNanoseconds(Int64(time / .nanoseconds(1)))
  }

  // Not inlined: an optimized asynchronous function can unlock a mutex on another thread (Swift 6.3).
  @inline(never)
  private func counter(_ labels: Labels) -> Counter {
    counters.withLock { counters in
      if let counter = counters[labels] { return counter }
      let dimensions = [("method", labels.method?.rawValue ?? "other"), ("status", "\(labels.status)")]
      let counter = Counter(label: "http_requests_total", dimensions: dimensions, factory: metrics)
      counters[labels] = counter
      return counter
    }
  }
}
