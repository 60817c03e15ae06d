// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import TaxiOrder

/// The options of `taxi watch`.
struct WatchOptions: Hashable, Sendable {
  /// The maximum number of taxis. The cost is quadratic in the number.
  static let mostTaxis = 1_000

  /// The number of taxis.
  var taxis = 6
  /// The number of orders; nil for no limit.
  var orders: Int?
  /// The speed of time, as a multiple of real time.
  var speed = 60
  var seed: UInt64 = 1
  /// The kind of fault to inject; nil for any.
  var fault: FaultKind?
  /// The probability of a fault; nil if it was not given.
  var faultRate: Double?
  /// Whether other processes may inspect the tree.
  var isInspected = false
  /// The file that the tree is recorded in; nil for none.
  var recordPath: String?

  /// The fault injection. A kind of fault without a rate applies to every order.
  var faults: FaultInjection { FaultInjection(rate: faultRate ?? (fault == nil ? 0 : 1), kind: fault) }

  private static let known: [ArgumentScanner.Option] = [
    .init(name: "--taxis", takesValue: true), .init(name: "--orders", takesValue: true),
    .init(name: "--speed", takesValue: true), .init(name: "--seed", takesValue: true),
    .init(name: "--fault", takesValue: true), .init(name: "--fault-rate", takesValue: true),
    .init(name: "--inspect"),
    .init(name: "--record", takesValue: true),
  ]

  init() {}

  init(_ arguments: ArraySlice<String>) throws(UsageError) {
    var scanner = ArgumentScanner(arguments, options: WatchOptions.known, topic: .watch)
    while let item = try scanner.next() {
      switch item {
      case .option("--taxis", let value):
        taxis = try OptionValue.count(value, of: "--taxis", upTo: WatchOptions.mostTaxis, see: .watch)
      case .option("--orders", let value):
        orders = try OptionValue.count(value, of: "--orders", see: .watch)
      case .option("--speed", let value):
        speed = try OptionValue.count(value, of: "--speed", see: .watch)
      case .option("--seed", let value): seed = try OptionValue.seed(value, see: .watch)
      case .option("--record", let path): recordPath = try OptionValue.file(path, of: "--record", see: .watch)
      case .option("--fault", let value): fault = try OptionValue.fault(value, see: .watch)
      case .option("--inspect", _): isInspected = true
      case .option(let option, let value): faultRate = try OptionValue.probability(value, of: option, see: .watch)
      case .operand(let word):
        throw UsageError("'watch' takes no '\(word.printable)'; set the number with '--taxis N'", see: .watch)
      }
    }
  }
}
