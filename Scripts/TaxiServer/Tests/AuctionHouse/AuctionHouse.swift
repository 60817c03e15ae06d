// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import HTTPTrees
import Logging
import RIBs
import RIBsStore
import TreeLog
import TreeMetrics
import TreeService

/// A server of auctions, written from the articles: a seller may change its own auctions, and all callers may read and bid.
///
/// The key of an auction is that of its seller and a name, such as `anna.vase`.
public struct AuctionHouse: Sendable {
  public let http: HTTPTrees
  public let responder: HTTPTrees.Responder
  public let administration: HTTPTrees.Responder
  public let counts: @Sendable () -> DirectoryCounts
  let service: TreeService<String, AuctionRouter>

  public init(
    _ options: ServerOptions, tokens: BearerTokens, store: any TreeStore, logger: Logger
  ) {
    let access = Access(
      identify: { request, _ in try tokens.caller(of: request) },
      read: { request in request.caller != nil },
      change: { request in
        guard let caller = request.caller else { return false }
        return request.route.hasSuffix("/bids/{amount}") || request.key.hasPrefix("\(caller.id).")
      },
      administer: { request in request.caller?.roles.contains("operator") == true })
    let http = HTTPTrees(options, access: access, logger: logger)
    let (log, metrics) = (TreeLog(logger), TreeMetrics(factory: http.metrics))
    let auctions = TreeDirectory<String, AuctionRouter>(
      "auction", in: http.health.observing(metrics.measuring(store)), configuration: options.directory,
      tree: { _ in metrics.observing(TreeConfiguration()) },
      onEvent: { event in
        http.health.record(event)
        log.log(event)
        metrics.record(event)
      },
      build: { _ in AuctionRouter(interactor: AuctionInteractor()) })
    self.http = http
    counts = { auctions.counts }
    service = TreeService(auctions, timeout: options.shutdown / 2, logger: logger)
    let measure: @Sendable () -> Void = { metrics.record(auctions.counts, of: auctions.kind) }
    responder = http.responder(measuring: measure) { router in addRoutes(of: auctions, to: http.trees(router)) }
    administration = http.administration { trees in trees.add(auctions) }
  }

  public func run(onRunning: @escaping @Sendable (Int) -> Void = { _ in }) async throws {
    try await http.run(responder, service, administration: administration, onRunning: onRunning)
  }
}
