internal import Foundation

/// The options of the commands that run many orders.
struct SeriesOptions: Hashable, Sendable {
  /// Several for each core, so that none is idle while orders move between threads.
  var concurrency = 8 * ProcessInfo.processInfo.activeProcessorCount
  var seed: UInt64 = 1
  /// The kind of fault to inject; nil for any.
  var fault: FaultKind?
  /// The probability of a fault; nil if it was not given.
  var faultRate: Double?
  /// The number of free taxis near each rider.
  var fleet = 0
  var usesUnboundWork = false
  /// Whether other processes may inspect the trees.
  var isInspected = false
  var format = SummaryFormat.text
  var showsProgress = true

  /// The fault injection. A kind of fault without a rate applies to every order.
  var faults: FaultInjection { FaultInjection(rate: faultRate ?? (fault == nil ? 0 : 1), kind: fault) }

  static let known: [ArgumentScanner.Option] = [
    .init(name: "--concurrency", takesValue: true), .init(name: "--seed", takesValue: true),
    .init(name: "--fault", takesValue: true), .init(name: "--fault-rate", takesValue: true),
    .init(name: "--fleet", takesValue: true), .init(name: "--unbound"), .init(name: "--inspect"),
    .init(name: "--format", takesValue: true), .init(name: "--no-progress"),
  ]

  /// Parses one of these options.
  mutating func take(_ option: String, _ value: String, see topic: TaxiCommand.Topic) throws(UsageError) {
    switch option {
    case "--concurrency":
      concurrency = try OptionValue.count(
        value, of: option, upTo: 10_000, "the number is 1 to 10000", see: topic)
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
