internal import Foundation

/// The options of the commands that run many orders.
struct SeriesOptions: Hashable, Sendable {
  /// Several for each core, so that none waits for an order that is handed from thread to thread.
  var concurrency = 8 * ProcessInfo.processInfo.activeProcessorCount
  var seed: UInt64 = 1
  /// What goes wrong; nil for anything.
  var fault: FaultKind?
  /// With how many orders something goes wrong; nil if it was not said.
  var faultRate: Double?
  /// How many free taxis are near each rider.
  var fleet = 0
  var usesUnboundWork = false
  /// Whether other processes may look at the trees while they live.
  var isInspected = false
  var format = SummaryFormat.text
  var showsProgress = true

  /// A fault that is named goes wrong with every order, unless it is said with how many.
  var faults: FaultInjection { FaultInjection(rate: faultRate ?? (fault == nil ? 0 : 1), kind: fault) }

  static let known: [ArgumentScanner.Option] = [
    .init(name: "--concurrency", takesValue: true), .init(name: "--seed", takesValue: true),
    .init(name: "--fault", takesValue: true), .init(name: "--fault-rate", takesValue: true),
    .init(name: "--fleet", takesValue: true), .init(name: "--unbound"), .init(name: "--inspect"),
    .init(name: "--format", takesValue: true), .init(name: "--no-progress"),
  ]

  /// Takes one of these options.
  mutating func take(_ option: String, _ value: String, see topic: TaxiCommand.Topic) throws(UsageError) {
    switch option {
    case "--concurrency":
      concurrency = try OptionValue.count(
        value, of: option, upTo: 10_000, "1 to 10000 orders run at a time", see: topic)
    case "--seed": seed = try OptionValue.seed(value, see: topic)
    case "--fault": fault = try OptionValue.fault(value, see: topic)
    case "--fault-rate": faultRate = try OptionValue.probability(value, of: option, see: topic)
    case "--fleet": fleet = try OptionValue.fleet(value, see: topic)
    case "--unbound": usesUnboundWork = true
    case "--inspect": isInspected = true
    case "--format": format = try OptionValue.choice(value, of: option, "formats", see: topic)
    default: showsProgress = false
    }
  }
}
