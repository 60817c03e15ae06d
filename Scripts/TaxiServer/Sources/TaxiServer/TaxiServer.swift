// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import HTTPTrees
import Hummingbird
import Logging
import RIBs
import RIBsStore
import TaxiOrder
import TreeLog
import TreeMetrics
import TreeService
import UnixSignals

/// A server of taxi orders: one tree for each rider.
public struct TaxiServer: Sendable {
  let riders: TreeDirectory<RiderID, RiderRouter>
  package let http: HTTPTrees
  package let responder: HTTPTrees.Responder
  private let service: TreeService<RiderID, RiderRouter>

  /// - Parameters:
  ///   - speed: how many seconds of an order pass in a second, from 1 to 1,000.
  ///   - ordersUntilDecline: after how many orders a credit card is declined once; nil for never.
  ///   - store: keeps the riders; nil to keep them in memory.
  ///   - schema: the version of what is saved of riders.
  ///   - tokens: those of the riders and dispatchers; nil if each client reaches all riders.
  ///   - inspector: may observe the trees.
  ///   - logger: gets what happens.
  ///   - addRoutes: adds routes.
  package init(
    _ options: ServerOptions, speed: Int, ordersUntilDecline: Int?, store: (any TreeStore)?, schema: Int = 1,
    tokens: BearerTokens? = nil, inspector: (any TreeObserver)? = nil, logger: Logger,
    addRoutes: (Hummingbird.Router<ServerContext>, HTTPTrees) -> Void = { _, _ in }
  ) {
    let http = HTTPTrees(options, access: .riders(tokens), logger: logger)
    let (log, metrics) = (TreeLog(logger), TreeMetrics(factory: http.metrics))
    let builder = RiderBuilder(
      services: RiderServices(
        clock: WallClock(speed: speed), speed: speed, ordersUntilDecline: ordersUntilDecline))
    let riders = TreeDirectory<RiderID, RiderRouter>(
      "rider", in: store.map { http.health.observing(metrics.measuring($0)) }, schema: schema,
      configuration: options.directory,
      tree: { _ in
        var configuration = TreeConfiguration(inspector: inspector)
        log.observe(&configuration)
        metrics.observe(&configuration)
        return configuration
      },
      onEvent: { event in
        http.health.record(event)
        log.log(event)
        metrics.record(event)
      },
      build: { rider in builder.build(rider) })
    (self.http, self.riders) = (http, riders)
    service = TreeService(riders, timeout: options.shutdown / 2, logger: logger)
    let measure: @Sendable () -> Void = { metrics.record(riders.counts, of: riders.kind) }
    responder = http.responder(describing: RiderRoutes.problem, measuring: measure) { router in
      PageRoutes().add(to: router)
      RiderRoutes(riders: riders, followers: http.followers, speed: min(max(speed, 1), 1_000)).add(
        to: http.trees(router))
      addRoutes(router, http)
    }
  }

  /// Serves until a signal arrives or a graceful shutdown of the calling task begins, then saves and ends everything in time.
  ///
  /// - Parameters:
  ///   - signals: those that stop the server.
  ///   - onRunning: called with the port.
  public func run(
    until signals: [UnixSignal] = [.sigterm, .sigint], onRunning: @escaping @Sendable (Int) -> Void = { _ in }
  ) async throws {
    let administration = http.administration { trees in trees.add(riders) }
    try await http.run(responder, service, administration: administration, until: signals, onRunning: onRunning)
  }
}
