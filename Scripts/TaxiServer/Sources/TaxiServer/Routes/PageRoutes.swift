// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTrees
import HTTPTypes
import Hummingbird
import NIOCore
import TaxiOrder

/// The page, and what it shows.
struct PageRoutes: Sendable {
  func add(to router: Router<ServerContext>) {
    router.get("/") { _, _ in
      Response(
        status: .ok,
        headers: [
          .contentType: "text/html; charset=utf-8", .cacheControl: "no-cache",
          .contentSecurityPolicy: "default-src 'self' 'unsafe-inline'; img-src data:; frame-ancestors 'none'",
        ], body: ResponseBody(byteBuffer: ByteBuffer(string: PageRoutes.page)))
    }
    router.get("/zones") { _, _ in try JSON.response(Place.zones) }
  }

  static let page: String = {
    let url = Bundle.module.url(forResource: "page", withExtension: "html")
    return url.flatMap { try? String(contentsOf: $0, encoding: .utf8) } ?? "The page is missing."
  }()
}
