import ArgumentParser
import Foundation
import Logging
import RIBsInspector
import RIBsStore
import TaxiServer

/// `Scripts/taxi-server`.
@main
struct Program: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "taxi-server",
    abstract: "Serves taxi orders over HTTP: one tree of RIBs for each rider, which survives kill -9.",
    discussion: """
      Open the printed address in a browser, and order a taxi. Kill the server while it comes, start it again, and it is \
      still coming: every answered request was saved before it was answered.

      The same without a browser:

        curl -X POST localhost:8080/riders/anna/order -H 'Idempotency-Key: 1' \\
          -d '{"pickup": "Elm Court", "destination": "Mill Pond", "payment": "card"}'
        curl -X POST localhost:8080/riders/anna/order/confirmation -H 'Idempotency-Key: 2'
        curl -N localhost:8080/riders/anna/events

      Watch the trees with: Scripts/ribs watch taxi-server

      Requests:

        GET    /riders/RIDER                       what the rider sees
        GET    /riders/RIDER/events                the same after each change, as server-sent events
        GET    /riders/RIDER/orders                the ended orders
        POST   /riders/RIDER/order                 opens an order: pickup, destination, payment, each optional
        PATCH  /riders/RIDER/order                 makes or changes these choices
        POST   /riders/RIDER/order/confirmation    places the order, when the fare is known
        POST   /riders/RIDER/order/payment         pays by other means: payment
        DELETE /riders/RIDER/order                 cancels the order
        GET    /zones /health/live /health/ready /metrics

      Repeat a request with the same header Idempotency-Key: it is carried out once. Errors are problem details (RFC 9457).

      Several processes share a database. Each gets its own --port and --address, and a balancer in front sends a rider's \
      requests to any of them: it asks the one that has the rider.

        Scripts/taxi-server --store postgres://user@host/database --port 8081 --address 127.0.0.1:8081

      SIGTERM stops the server in order: it is not ready any more, ends followers and connections, and saves and gives up \
      all riders, so that another process continues with them.
      """)

  @Option(help: "The port.") var port = 8080
  @Option(help: "The address to listen on. Others than this machine reach it only if you change it.")
  var host = "127.0.0.1"
  @Option(help: "Where riders are kept: a DIRECTORY for one process, postgres://… for several, or none.")
  var store: String?
  @Option(help: "How other processes reach this one, as HOST:PORT. Needed with a shared store.") var address = ""
  @Option(help: "How many seconds of an order pass in a second, from 1 to 1000.") var speed = 30
  @Option(help: "After how many orders of a rider a credit card is declined; 0 for never.") var declineAfter = 3
  @Option(help: "The maximum number of riders that are awake.") var riders = 100_000
  @Option(help: "The maximum number of connections.") var connections = 19_000
  @Option(help: "The maximum number of followers.") var followers = 15_000
  @Option(help: "The maximum number of requests of a rider in a second.") var rate = 20.0
  @Option(help: "The maximum number of requests over a connection in a second.") var connectionRate = 2_000.0
  @Option(help: "The time for a call, in seconds.") var timeout = 5.0
  @Option(help: "The time for the shutdown, in seconds. Less than what the orchestrator gives.") var shutdown = 10.0
  @Option(help: "How long the server answers after it is not ready any more, in seconds.") var drain = 0.0
  @Option(help: "The lease, in seconds: how long riders are unreachable after a machine is lost.") var lease = 10.0
  @Option(help: "The least important messages to log: debug, info, warning or error.") var log = "info"

  func validate() throws {
    guard (0...65_535).contains(port) else { throw ValidationError("--port must be from 0 to 65535.") }
    guard (1...1_000).contains(speed) else { throw ValidationError("--speed must be from 1 to 1000.") }
    guard Logger.Level(rawValue: log) != nil else {
      throw ValidationError("--log must be debug, info, warning or error.")
    }
    guard min(riders, connections, followers) > 0, min(rate, connectionRate, timeout, shutdown, lease) > 0, drain >= 0
    else { throw ValidationError("Limits and times must be positive.") }
  }

  func run() async throws {
    LoggingSystem.bootstrap(StreamLogHandler.standardError)
    var logger = Logger(label: "taxi-server")
    logger.logLevel = Logger.Level(rawValue: log) ?? .info
    let descriptors = DescriptorLimit.raise()
    if connections >= descriptors {
      logger.warning(
        "More connections are allowed than the system has descriptors for. Raise its limit, or lower --connections.",
        metadata: ["connections": .stringConvertible(connections), "descriptors": .stringConvertible(descriptors)])
    }
    let (store, place) = try await StoreChoice(store).open()
    // Without it, the server runs all the same.
    let inspector = try? Inspector.start()
    let server = TaxiServer(options, store: store, inspector: inspector, logger: logger)
    try await server.run { port in
      print("Order a taxi at http://\(host):\(port). Riders are kept \(place). Stop with Ctrl-C.")
      fflush(nil)
    }
    inspector?.stop()
  }

  private var options: ServerOptions {
    var options = ServerOptions()
    (options.host, options.port, options.address, options.speed) = (host, port, address, speed)
    options.ordersUntilDecline = declineAfter > 0 ? declineAfter : nil
    (options.riders, options.connections, options.followers) = (riders, connections, followers)
    (options.ratePerRider, options.ratePerConnection) = (rate, connectionRate)
    (options.timeout, options.shutdown) = (.seconds(timeout), .seconds(shutdown))
    (options.drain, options.lease) = (.seconds(drain), .seconds(lease))
    return options
  }
}
