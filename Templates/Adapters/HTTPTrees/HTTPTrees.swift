// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

// Serves trees over HTTP, in one process or several (Hummingbird): a template, yours to change.
//
// In Package.swift:
//
//   .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
//   .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
//   .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.6.0"),
//   .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
//   .package(url: "https://github.com/apple/swift-http-types", from: "1.4.0"),
//   .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
//   .package(url: "https://github.com/apple/swift-metrics", from: "2.5.0"),
//   .package(url: "https://github.com/apple/swift-nio", from: "2.80.0"),
//   .target(
//     name: "HTTPTrees",
//     dependencies: [
//       .product(name: "RIBs", package: "swift-ribs"),
//       .product(name: "RIBsStore", package: "swift-ribs"),
//       .product(name: "Hummingbird", package: "hummingbird"),
//       .product(name: "HummingbirdCore", package: "hummingbird"),
//       .product(name: "AsyncHTTPClient", package: "async-http-client"),
//       .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
//       .product(name: "UnixSignals", package: "swift-service-lifecycle"),
//       .product(name: "ArgumentParser", package: "swift-argument-parser"),
//       .product(name: "HTTPTypes", package: "swift-http-types"),
//       .product(name: "Logging", package: "swift-log"),
//       .product(name: "CoreMetrics", package: "swift-metrics"),
//       .product(name: "Metrics", package: "swift-metrics"),
//       .product(name: "NIOCore", package: "swift-nio"),
//       .product(name: "NIOHTTP1", package: "swift-nio"),
//     ]),

import AsyncHTTPClient
public import Hummingbird
import HummingbirdCore
public import Logging
import NIOCore
public import RIBsStore
public import ServiceLifecycle
public import UnixSignals

/// A server whose requests are calls of trees: callers and what each may do, limits, time limits, problem details, followers,
/// a hop to the process that has a tree, health, metrics, administration, and an end in order.
///
/// A watchdog names code of a tree that does not return, while it runs: `ServerOptions.watchdog`, which `options.directory`
/// passes to the trees.
///
/// ```swift
/// let owner: Access.Rule = { request in request.caller?.id == request.key }
/// let access = Access(
///   identify: { request, _ in try tokens.caller(of: request) }, read: owner, change: owner)
/// let http = HTTPTrees(options, access: access, logger: logger)
/// let orders = TreeDirectory<String, OrderRouter>(
///   "order", in: http.health.observing(store), configuration: options.directory,
///   onEvent: { event in http.health.record(event) },
///   build: { _ in OrderRouter(interactor: OrderInteractor()) })
/// let responder = http.responder { router in
///   let order = http.trees(router).group("orders/:tree")
///   order.get { _, context in
///     // Looking creates no tree.
///     let view = try await orders.perform(onExisting: context.key) { root in root.interactor.view }
///     guard let view else { throw Problem(.notFound, "unknown-order", "There is no such order.") }
///     return try JSON.response(view)
///   }
/// }
/// let administration = http.administration { trees in trees.add(orders) }
/// try await http.run(
///   responder, TreeService(orders, timeout: options.shutdown / 2, logger: logger), administration: administration)
/// ```
public struct HTTPTrees: Sendable {
  /// The responder of a server.
  public typealias Responder = Requests<TimeLimit<RouterResponder<ServerContext>>>

  /// Those that it was made with.
  public let options: ServerOptions
  /// Those that `/metrics` shows.
  public let metrics = PrometheusMetrics()
  /// The clients that follow a tree.
  public let followers: Followers
  /// What `/health/ready` says.
  public let health: StoreHealth
  private let access: Access
  private let limit: RateLimit
  private let logger: Logger
  private let client: HTTPClient

  /// Creates a server without routes.
  ///
  /// - Parameter access: decides about the requests to trees. By default, each is refused.
  public init(_ options: ServerOptions, access: Access = Access(), logger: Logger) {
    (self.options, self.access, self.logger) = (options, access, logger)
    limit = RateLimit(options)
    followers = Followers(
      limit: options.followers, limitByTree: options.followersPerTree, heartbeat: options.heartbeat,
      drain: options.drain, metrics: metrics)
    health = StoreHealth(patience: options.storePatience)
    client = Hop.client(connections: options.connections, silence: followers.patience)
  }

  /// The group for routes whose requests are calls of a tree. The parameter `tree` of a path is the ID of the tree, which
  /// routes read as `context.key`. `access` decides about each request before a route gets it.
  public func trees(_ router: Router<ServerContext>) -> RouterGroup<ServerContext> {
    router.group()
      .add(middleware: AccessControl(access, limit, HopSecret(options.hopSecret)))
      .add(
        middleware: Hop(
          client: client, followers: followers, bodyLimit: options.bodyLimit, timeout: options.timeout,
          secret: options.hopSecret))
  }

  /// A responder with the routes for health and metrics, and others.
  ///
  /// - Parameters:
  ///   - describe: describes the errors of the program; nil for others.
  ///   - measure: called before metrics are read, to record gauges such as those of a directory.
  ///   - addRoutes: adds the routes.
  public func responder(
    describing describe: @escaping @Sendable (any Error) -> Problem? = { _ in nil },
    measuring measure: @escaping @Sendable () -> Void = {}, addRoutes: (Router<ServerContext>) -> Void
  ) -> Responder {
    let router = Router(context: ServerContext.self)
    // Alive: the process answers. Nothing else, or a failing database would restart all processes.
    router.get("/health/live") { _, _ in Response(status: .noContent) }
    router.get("/health/ready") { [health, followers] _, _ in
      let reason = followers.isDraining ? "The server is stopping." : health.reasonNotReady
      if let reason { throw Problem(.serviceUnavailable, "not-ready", reason, retryAfter: 1) }
      return Response(status: .noContent)
    }
    router.get("/metrics") { [metrics] _, _ in
      measure()
      return Response(
        status: .ok, headers: [.contentType: "text/plain; version=0.0.4"],
        body: ResponseBody(byteBuffer: ByteBuffer(string: metrics.text)))
    }
    addRoutes(router)
    return responder(of: router, describe)
  }

  private func responder(
    of router: Router<ServerContext>, _ describe: @escaping @Sendable (any Error) -> Problem? = { _ in nil }
  ) -> Responder {
    Requests(
      metrics: metrics, describe: describe, inner: TimeLimit(limit: options.timeout, inner: router.buildResponder()))
  }

  /// A responder for operators, which `run` serves on `ServerOptions.adminPort`. Each request needs the rule `administer`
  /// of the `Access`.
  ///
  /// ```swift
  /// let administration = http.administration { trees in trees.add(orders) }
  /// ```
  ///
  /// - Parameter addTrees: adds the directories, whose kinds differ.
  public func administration(adding addTrees: (Administration) -> Void) -> Responder {
    responder(of: administrationRouter(adding: addTrees))
  }

  func administrationRouter(adding addTrees: (Administration) -> Void) -> Router<ServerContext> {
    let router = Router(context: ServerContext.self)
    // A limit of its own: clients that use up that of a tree don't keep operators away. Other processes forward nothing.
    let control = AccessControl(access, RateLimit(options), nil, action: .administer)
    addTrees(Administration(group: router.group().add(middleware: control), timeout: options.timeout / 2))
    return router
  }

  /// Serves until a signal arrives or a graceful shutdown of the calling task begins, then saves and ends everything in
  /// time.
  ///
  /// - Parameters:
  ///   - trees: a `TreeService` of the directory, with half of the time of the shutdown.
  ///   - administration: that of `administration(adding:)`. Served only if `ServerOptions.adminPort` is set.
  ///   - signals: those that stop the server.
  ///   - onRunning: called with the port.
  public func run(
    _ responder: Responder, _ trees: any Service, administration: Responder? = nil,
    until signals: [UnixSignal] = [.sigterm, .sigint], onRunning: @escaping @Sendable (Int) -> Void = { _ in }
  ) async throws {
    // They end in reverse order: first the followers, then the connections, and then the trees.
    let application = service(responder, options.host, options.port, timeout: options.shutdown / 4, onRunning)
    var services: [any Service] = [trees, application, followers]
    if let administration, let port = options.adminPort {
      // The time of a shutdown is that of clients and trees.
      services.insert(service(administration, options.adminHost, port, timeout: .zero), at: 1)
    }
    var group = ServiceGroupConfiguration(services: services, gracefulShutdownSignals: signals, logger: logger)
    group.maximumGracefulShutdownDuration = options.shutdown
    let outcome: Result<Void, any Error>
    do { outcome = .success(try await ServiceGroup(configuration: group).run()) } catch { outcome = .failure(error) }
    try await client.shutdown()
    try outcome.get()
  }

  private func service(
    _ responder: Responder, _ host: String, _ port: Int, timeout: Duration,
    _ onRunning: @escaping @Sendable (Int) -> Void = { _ in }
  ) -> any Service {
    var http = options.http
    http.additionalChannelHandlers = { [patience = followers.patience] in [UnreadAnswers(patience: patience)] }
    let application = Application(
      responder: responder, server: .http1(configuration: http),
      configuration: ApplicationConfiguration(
        address: .hostname(host, port: port), backlog: 4_096,
        availableConnectionsDelegate: .maximum(options.connections, logger: logger)),
      onServerRunning: { channel in onRunning(channel.localAddress?.port ?? 0) }, logger: logger)
    return Bounded(service: application, timeout: timeout)
  }
}
