// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import TaxiOrder
internal import TaxiSimulation

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
  /// The probability that a tree is dropped at a random event and restored.
  var crashRate = 0.0
  var usesUnboundWork = false
  /// Whether other processes may inspect the trees.
  var isInspected = false
  /// The file that the trees are recorded in; nil for none.
  var recordPath: String?
  var format = SummaryFormat.text
  var showsProgress = true

  /// The fault injection. A kind of fault without a rate applies to every order.
  var faults: FaultInjection { FaultInjection(rate: faultRate ?? (fault == nil ? 0 : 1), kind: fault) }

  static let known: [ArgumentScanner.Option] = [
    .init(name: "--concurrency", takesValue: true), .init(name: "--seed", takesValue: true),
    .init(name: "--fault", takesValue: true), .init(name: "--fault-rate", takesValue: true),
    .init(name: "--fleet", takesValue: true), .init(name: "--crash-rate", takesValue: true), .init(name: "--unbound"),
    .init(name: "--inspect"), .init(name: "--record", takesValue: true),
    .init(name: "--format", takesValue: true), .init(name: "--no-progress"),
  ]

  /// Parses one of these options.
  mutating func take(_ option: String, _ value: String, see topic: TaxiCommand.Topic) throws(UsageError) {
    switch option {
    case "--concurrency":
      concurrency = try OptionValue.count(value, of: option, upTo: 10_000, see: topic)
    case "--seed": seed = try OptionValue.seed(value, see: topic)
    case "--fault": fault = try OptionValue.fault(value, see: topic)
    case "--fault-rate": faultRate = try OptionValue.probability(value, of: option, see: topic)
    case "--crash-rate": crashRate = try OptionValue.probability(value, of: option, see: topic)
    case "--fleet": fleet = try OptionValue.fleet(value, see: topic)
    case "--unbound": usesUnboundWork = true
    case "--inspect": isInspected = true
    case "--record": recordPath = try OptionValue.file(value, of: option, see: topic)
    case "--format": format = try OptionValue.choice(value, of: option, "formats", see: topic)
    default: showsProgress = false
    }
  }
}

/// The options of `taxi replay`.
struct ReplayOptions: Hashable, Sendable {
  /// The trip file; `-` for standard input.
  var path: String
  var series = SeriesOptions()

  init(path: String) { self.path = path }

  init(_ arguments: ArraySlice<String>) throws(UsageError) {
    var scanner = ArgumentScanner(arguments, options: SeriesOptions.known, topic: .replay)
    var paths: [String] = []
    while let item = try scanner.next() {
      switch item {
      case .option(let option, let value): try series.take(option, value, see: .replay)
      case .operand(let path): paths.append(path)
      }
    }
    guard let path = paths.first else {
      throw UsageError("'replay' needs a trip file, or '-' for standard input", see: .replay)
    }
    guard paths.count == 1 else {
      throw UsageError("'replay' takes one trip file, not \(paths.count)", see: .replay)
    }
    self.path = path
  }
}

/// The options of `taxi simulate`.
struct SimulateOptions: Hashable, Sendable {
  /// The number of orders to run.
  var orders: Int
  /// The directory that the orders are saved in; nil for none.
  var directory: String?
  var series = SeriesOptions()

  private static let known =
    [ArgumentScanner.Option(name: "--orders", takesValue: true), .init(name: "--store", takesValue: true)]
    + SeriesOptions.known

  /// What a directory saves of the options.
  var stored: StoredSimulation {
    StoredSimulation(
      orders: orders, seed: series.seed, faultRate: series.faults.rate, fault: series.fault, fleet: series.fleet)
  }

  init(orders: Int) { self.orders = orders }

  init(_ arguments: ArraySlice<String>) throws(UsageError) {
    var scanner = ArgumentScanner(arguments, options: SimulateOptions.known, topic: .simulate)
    var orders: Int?
    while let item = try scanner.next() {
      switch item {
      case .option("--orders", let value):
        orders = try OptionValue.count(value, of: "--orders", see: .simulate)
      case .option("--store", let path): directory = try OptionValue.directory(path, see: .simulate)
      case .option(let option, let value): try series.take(option, value, see: .simulate)
      case .operand(let word):
        throw UsageError("'simulate' takes no '\(word.printable)'; set the number with '--orders N'", see: .simulate)
      }
    }
    guard let orders else { throw UsageError("the number of orders is missing: '--orders N'", see: .simulate) }
    if directory != nil, series.crashRate > 0 {
      throw UsageError(
        "'--store' can't be combined with '--crash-rate': kill the process to crash the trees", see: .simulate)
    }
    if directory != nil, series.usesUnboundWork {
      throw UsageError("'--store' can't be combined with '--unbound': unbound work is not saved", see: .simulate)
    }
    self.orders = orders
  }
}

/// The options of `taxi orders`.
struct OrdersOptions: Hashable, Sendable {
  /// The directory of a simulation.
  var directory: String
  var format = SummaryFormat.text

  private static let known: [ArgumentScanner.Option] = [
    .init(name: "--store", takesValue: true), .init(name: "--format", takesValue: true),
  ]

  init(directory: String) { self.directory = directory }

  init(_ arguments: ArraySlice<String>) throws(UsageError) {
    var scanner = ArgumentScanner(arguments, options: OrdersOptions.known, topic: .orders)
    var directory: String?
    while let item = try scanner.next() {
      switch item {
      case .option("--store", let path): directory = try OptionValue.directory(path, see: .orders)
      case .option(let option, let value):
        format = try OptionValue.choice(value, of: option, "formats", see: .orders)
      case .operand(let word):
        throw UsageError("'orders' takes no '\(word.printable)'; the directory follows '--store'", see: .orders)
      }
    }
    guard let directory else { throw UsageError("the directory is missing: '--store DIRECTORY'", see: .orders) }
    self.directory = directory
  }
}

/// An output format of results.
enum SummaryFormat: String, CaseIterable, Sendable {
  case text, json
}
