// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import HTTPTrees
import RIBsInspector
import RIBsStore
import TaxiServer

#if PostgreSQL
  import PostgreSQLStore
  private let database: StoreChoice.Opener? = { url, timeout in try await PostgreSQLStore(url, timeout: timeout) }
#else
  private let database: StoreChoice.Opener? = nil
#endif
#if SQLite
  import SQLiteStore
  private let sqlite: StoreChoice.Opener? = { path, timeout in try await SQLiteStore(path: path, busyTimeout: timeout) }
#else
  private let sqlite: StoreChoice.Opener? = nil
#endif

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

        PUT    /riders/RIDER                       creates the rider, unless there is one
        GET    /riders/RIDER                       what the rider sees; 404 if there is none
        GET    /riders/RIDER/events                the same after each change, as server-sent events
        GET    /riders/RIDER/orders                the ended orders
        POST   /riders/RIDER/order                 opens an order: pickup, destination, payment, each optional
        PATCH  /riders/RIDER/order                 makes or changes these choices
        POST   /riders/RIDER/order/confirmation    places the order, when the fare is known
        POST   /riders/RIDER/order/payment         pays by other means: payment
        DELETE /riders/RIDER/order                 cancels the order
        GET    /zones /health/live /health/ready /metrics

      Repeat a request with the same header Idempotency-Key: it is carried out once. Errors are problem details (RFC 9457).

      Each client may reach all riders, until --tokens names a file. A rider reaches only its own tree then, and a caller \
      with the role dispatcher reaches all. The page asks for a token: open /?rider=anna.

        d0b1d5a6b1e04a63 anna
        7f7c0f2c9d5c4f5e mara dispatcher

        curl -H 'Authorization: Bearer d0b1d5a6b1e04a63' localhost:8080/riders/anna

      --admin-port lets a caller with the role operator administer riders: GET /rider lists those that are awake or \
      quarantined, GET /rider/RIDER shows one, POST /rider/RIDER/end and /rider/RIDER/retry end and retry it, and DELETE \
      /rider/RIDER removes it.

      Several processes share a database. Each gets its own --port and --address, and a balancer in front sends a rider's \
      requests to any of them: it asks the one that has the rider.

        Scripts/taxi-server --store postgres://user@host/database --port 8081 --address 127.0.0.1:8081

      SIGTERM stops the server in order: it is not ready any more, ends followers and connections, and saves and gives up \
      all riders, so that another process continues with them.
      """)

  @OptionGroup(title: "Options of the server") var server: ServerArguments
  @Option(help: "How many seconds of an order pass in a second, from 1 to 1000.") var speed = 30
  @Option(help: "After how many orders of a rider a credit card is declined; 0 for never.") var declineAfter = 3

  func validate() throws {
    guard (1...1_000).contains(speed) else { throw ValidationError("--speed must be from 1 to 1000.") }
    guard server.isLocal || server.hasTokens else { throw ValidationError("Other machines can connect: use --tokens.") }
  }

  func run() async throws {
    let (options, logger) = (server.options, server.logger("taxi-server"))
    DescriptorLimit.raise(for: options.connections, logger)
    let (store, place) = try await server.openStore(
      for: "ribs-taxi-server", database: database, sqlite: sqlite)
    // Without it, the server runs all the same.
    let inspector = try? Inspector.start()
    let taxis = TaxiServer(
      options, speed: speed, ordersUntilDecline: declineAfter > 0 ? declineAfter : nil, store: store,
      tokens: try server.bearerTokens(), inspector: inspector, logger: logger)
    try await taxis.run { port in
      print("Order a taxi at http://\(options.host):\(port). Riders are kept \(place). Stop with Ctrl-C.")
      fflush(nil)
    }
    inspector?.stop()
  }
}
