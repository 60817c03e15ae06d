// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import Metrics
import RIBs
import Tracing
import TreeLog
import TreeMetrics
import TreeTraces

final class CostInteractor: Interactor {
  override func didBecomeActive() {
    super.didBecomeActive()
    task {}
  }
}

final class CostRouter: Router<CostInteractor> {
  init() { super.init(interactor: CostInteractor()) }
}

/// Measures the processor time of an event with log, metrics and traces, whose libraries discard what they receive.
@main
enum ObservingCost {
  /// Attached, activated, loaded, task started and ended, resigned, detached.
  static let eventsPerRound = 7
  static let rounds = 20_000

  static func main() async throws {
    let alone = try await time(of: configuration(nil))
    for level in [Logger.Level.info, .trace] {
      let observed = try await time(of: configuration(level))
      let cost = (observed - alone) / (rounds * eventsPerRound)
      print("log level \(level): \(cost) more an event; \(alone / rounds) a round without observers")
    }
  }

  static func configuration(_ level: Logger.Level?) -> TreeConfiguration {
    var configuration = TreeConfiguration(name: "cost", leakDetection: .off)
    guard let level else { return configuration }
    var logger = Logger(label: "cost", factory: { _ in SwiftLogNoOpLogHandler() })
    logger.logLevel = level
    // The handler without effect takes no level.
    if level == .trace { logger = Logger(label: "cost", factory: { _ in DiscardingHandler() }) }
    TreeLog(logger).observe(&configuration)
    TreeMetrics(factory: NOOPMetricsHandler.instance).observe(&configuration)
    TreeTraces(NoOpTracer()).observe(&configuration)
    return configuration
  }

  /// The processor time that the process has used.
  static var processorTime: Duration {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  /// The shortest of five runs.
  static func time(of configuration: TreeConfiguration) async throws -> Duration {
    var shortest = Duration.seconds(3600)
    for _ in 0..<5 {
      let host = await TreeHost(configuration: configuration) { CostRouter() }
      let start = processorTime
      for _ in 0..<rounds / 100 {
        try await host.perform { root in
          for _ in 0..<100 {
            let child = CostRouter()
            root.attachChild(child)
            root.detachChild(child)
          }
        }
      }
      shortest = min(shortest, processorTime - start)
      await host.shutdown()
    }
    return shortest
  }
}

/// Discards all lines, and has them formatted.
struct DiscardingHandler: LogHandler {
  var metadata: Logger.Metadata = [:]
  var metadataProvider: Logger.MetadataProvider?
  var logLevel = Logger.Level.trace

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) { precondition(event.level >= .trace) }
}
