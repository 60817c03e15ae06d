// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AsyncHTTPClient
import Foundation

/// `Scripts/taxi-load`.
@main
struct TaxiLoad: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "taxi-load",
    abstract: "Orders taxis over HTTP at a fixed rate, and prints rates, errors and latencies.",
    discussion: """
      Each rider opens an order, follows it as server-sent events, confirms the fare, pays by other means if a card is \
      declined, and waits for the end of the ride.

      The load is open: orders begin on schedule, however slow the server answers. The latency of opening an order counts \
      from the scheduled time, so a server that stalls is charged for all requests that it held up (coordinated omission). \
      A request that is refused because the server stops or moves a rider (429, 503, a closed connection) is repeated \
      with the same idempotency key, and counted as repeated; it fails after --patience seconds.

      Run it against a server of its own, with a high speed and without limits of rates:

        Scripts/taxi-server --store none --speed 1000 --port 8090 --connections 60000
        Scripts/taxi-load --url http://127.0.0.1:8090 --rate 200 --seconds 30
      """)

  @Option(help: "The server, or the balancer before it. Several are used in turn.") var url = ["http://127.0.0.1:8080"]
  @Option(help: "Orders a second.") var rate = 50.0
  @Option(help: "How long orders begin, in seconds.") var seconds = 10.0
  @Option(help: "How long a request is repeated, and how long a stream of events may be silent, in seconds.")
  var patience = 30.0
  @Option(help: "The first characters of the riders' IDs. A later run needs other ones.")
  var prefix = String(UInt32.random(in: .min ... .max), radix: 36)
  @Flag(help: "Allows a server on another machine. Only with the consent of its owner.") var remote = false

  func validate() throws {
    for url in url {
      guard let parts = URL(string: url), parts.scheme == "http", let host = parts.host else {
        throw ValidationError("--url must be like http://127.0.0.1:8080.")
      }
      guard remote || ["127.0.0.1", "localhost", "::1"].contains(host) else {
        throw ValidationError("\(host) is not this machine. Add --remote if its owner agrees.")
      }
    }
    guard [rate, seconds, patience].allSatisfy({ $0 > 0 && $0 < 1e9 }) else {
      throw ValidationError("--rate and times must be positive, and less than 1e9.")
    }
  }

  func run() async throws {
    var configuration = HTTPClient.Configuration(
      timeout: .init(connect: .seconds(5), read: .nanoseconds(Int64(patience * 1e9))))
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 60_000
    configuration.connectionPool.retryConnectionEstablishment = false
    let client = HTTPClient(configuration: configuration)
    let results = Results()
    let start = ContinuousClock.now
    let count = Int((rate * seconds).rounded(.up))
    await withDiscardingTaskGroup { group in
      for number in 0..<count {
        // On schedule: nothing waits for the orders before.
        let time = start + .seconds(Double(number) / rate)
        try? await Task.sleep(until: time, clock: .continuous)
        let order = Order(
          rider: "\(prefix)-\(number)", servers: url, number: number, patience: .seconds(patience), client: client,
          results: results)
        group.addTask { await order.run(scheduled: time) }
      }
    }
    try await client.shutdown()
    print(results.text(duration: ContinuousClock.now - start))
    if results.failures > 0 { throw ExitCode.failure }
  }
}
