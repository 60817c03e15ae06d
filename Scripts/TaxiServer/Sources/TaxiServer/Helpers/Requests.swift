import HTTPTypes
import Hummingbird
import Logging
import Metrics

/// Gives each request an ID, logs and counts it, and turns its error into problem details.
struct Requests<Inner: HTTPResponder>: HTTPResponder where Inner.Context == ServerContext {
  let metrics: any MetricsFactory
  let inner: Inner

  func respond(to request: Request, context: ServerContext) async throws -> Response {
    var context = context
    let start = ContinuousClock.now
    // The ID of the client, or of the process that has forwarded the request.
    let sent = request.headers[.requestID].flatMap { $0.isToken ? $0 : nil }
    context.requestID = sent ?? String(UInt64.random(in: .min ... .max), radix: 36)
    context.logger[metadataKey: "request"] = .string(context.requestID)
    var response: Response
    do {
      response = try await inner.respond(to: request, context: context)
      if response.status.code >= 400, response.headers[.contentType] != Problem.mediaType {
        throw Problem(response.status)
      }
    } catch {
      let problem = Problem(error)
      // The errors of clients are not those of the server.
      if problem.status == 500 { context.logger.error("failed", metadata: ["error": "\(error)"]) }
      response = problem.response(closing: context.channel)
    }
    response.headers[.requestID] = context.requestID
    let time = ContinuousClock.now - start
    let labels = [("method", request.method.rawValue), ("status", "\(response.status.code)")]
    Counter(label: "http_requests_total", dimensions: labels, factory: metrics).increment()
    Timer(label: "http_request_seconds", factory: metrics).recordNanoseconds(Int64(time / .nanoseconds(1)))
    context.logger.debug(
      "answered",
      metadata: [
        "method": .string(request.method.rawValue), "path": .string(request.uri.path),
        "status": .stringConvertible(response.status.code), "seconds": .stringConvertible(time / .seconds(1)),
      ])
    return response
  }
}
