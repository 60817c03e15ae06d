import AsyncHTTPClient
import Hummingbird
import HummingbirdCore
import Logging
import RIBs
import RIBsStore
import ServiceLifecycle
import TaxiOrder
import TreeLog
import TreeMetrics
import TreeService
import UnixSignals

/// A server of taxi orders: one tree for each rider.
public struct TaxiServer: Sendable {
  let riders: TreeDirectory<RiderID, RiderRouter>
  let followers: Followers
  let health: Health
  private let options: ServerOptions
  private let logger: Logger
  private let client: HTTPClient
  let responder: Requests<TimeLimit<RouterResponder<ServerContext>>>

  /// - Parameters:
  ///   - store: keeps the riders; nil to keep them in memory.
  ///   - inspector: may observe the trees.
  ///   - logger: gets what happens.
  ///   - addRoutes: adds routes.
  package init(
    _ options: ServerOptions, store: (any TreeStore)?, inspector: (any TreeObserver)? = nil, logger: Logger,
    addRoutes: (Hummingbird.Router<ServerContext>) -> Void = { _ in }
  ) {
    (self.options, self.logger) = (options, logger)
    let metrics = PrometheusMetrics()
    let followers = Followers(
      limit: options.followers, limitByRider: options.followersPerRider, heartbeat: options.heartbeat,
      drain: options.drain, metrics: metrics)
    health = Health(followers: followers, memory: options.storeMemory)
    let (log, treeMetrics) = (TreeLog(logger), TreeMetrics(factory: metrics))
    let builder = RiderBuilder(
      services: RiderServices(
        clock: WallClock(speed: options.speed), speed: options.speed, ordersUntilDecline: options.ordersUntilDecline))
    riders = TreeDirectory(
      "rider", in: store.map { treeMetrics.measuring($0) }, configuration: options.directory,
      tree: { _ in
        var configuration = TreeConfiguration(inspector: inspector)
        log.observe(&configuration)
        treeMetrics.observe(&configuration)
        return configuration
      },
      onEvent: { [health] event in
        health.record(event)
        log.log(event)
        treeMetrics.record(event)
      },
      build: { rider in builder.build(rider) })
    self.followers = followers
    client = HTTPClient(configuration: .init(timeout: .init(connect: .seconds(1))))
    let router = Hummingbird.Router(context: ServerContext.self)
    OperationRoutes(health: health, metrics: metrics).add(to: router)
    RiderRoutes(riders: riders, followers: followers).add(
      to: router.group()
        .add(middleware: RateLimit(perRider: options.ratePerRider, perConnection: options.ratePerConnection))
        .add(
          middleware: Hop(client: client, followers: followers, bodyLimit: options.bodyLimit, timeout: options.timeout))
    )
    addRoutes(router)
    responder = Requests(metrics: metrics, inner: TimeLimit(limit: options.timeout, inner: router.buildResponder()))
  }

  /// Serves until a signal arrives or a graceful shutdown of the calling task begins, then saves and ends everything in time.
  ///
  /// - Parameters:
  ///   - signals: those that stop the server.
  ///   - onRunning: called with the port.
  public func run(
    until signals: [UnixSignal] = [.sigterm, .sigint], onRunning: @escaping @Sendable (Int) -> Void = { _ in }
  ) async throws {
    let application = Application(
      responder: responder,
      server: .http1(configuration: options.http),
      configuration: ApplicationConfiguration(
        address: .hostname(options.host, port: options.port), backlog: 1_024,
        availableConnectionsDelegate: .maximum(options.connections, logger: logger)),
      onServerRunning: { channel in onRunning(channel.localAddress?.port ?? 0) },
      logger: logger)
    // They end in reverse order: first the followers, then the connections, and then the trees.
    let services: [any Service] = [
      TreeService(riders, timeout: options.shutdown / 2, logger: logger),
      Bounded(service: application, timeout: options.shutdown / 4), followers,
    ]
    var group = ServiceGroupConfiguration(services: services, gracefulShutdownSignals: signals, logger: logger)
    group.maximumGracefulShutdownDuration = options.shutdown
    do {
      try await ServiceGroup(configuration: group).run()
    } catch {
      try await client.shutdown()
      throw error
    }
    try await client.shutdown()
  }
}
