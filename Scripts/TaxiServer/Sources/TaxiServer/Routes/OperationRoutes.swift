import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import TaxiOrder

/// The page, and what orchestrators and monitoring ask for.
struct OperationRoutes: Sendable {
  let health: Health
  let metrics: PrometheusMetrics

  func add(to router: Router<ServerContext>) {
    router.get("/") { _, _ in
      Response(
        status: .ok,
        headers: [
          .contentType: "text/html; charset=utf-8", .cacheControl: "no-cache",
          .contentSecurityPolicy: "default-src 'self' 'unsafe-inline'; img-src data:; frame-ancestors 'none'",
        ], body: ResponseBody(byteBuffer: ByteBuffer(string: OperationRoutes.page)))
    }
    router.get("/zones") { _, _ in try JSON.response(Place.zones) }
    // Alive: the process answers. Nothing else, or a failing database would restart all processes.
    router.get("/health/live") { _, _ in Response(status: .noContent) }
    router.get("/health/ready") { _, _ in
      if let reason = health.reasonNotReady { throw Problem(.serviceUnavailable, "not-ready", reason, retryAfter: 1) }
      return Response(status: .noContent)
    }
    router.get("/metrics") { _, _ in
      Response(
        status: .ok, headers: [.contentType: "text/plain; version=0.0.4"],
        body: ResponseBody(byteBuffer: ByteBuffer(string: metrics.text)))
    }
  }

  static let page: String = {
    let url = Bundle.module.url(forResource: "page", withExtension: "html")
    return url.flatMap { try? String(contentsOf: $0, encoding: .utf8) } ?? "The page is missing."
  }()
}
