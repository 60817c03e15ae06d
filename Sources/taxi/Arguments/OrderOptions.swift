// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import TaxiOrder
internal import TaxiSimulation

/// The options of `taxi order`.
struct OrderOptions: Hashable, Sendable {
  var from: String?
  var to: String?
  var link: OrderLink?
  var seed: UInt64 = 1
  /// The number of free taxis near the rider.
  var fleet = 3
  var fault: FaultKind?
  /// When the taxi is ordered for, on the order's clock; nil for now.
  var time: OrderTime?
  /// The means of payment that are switched off.
  var disabledPayments: Set<PaymentFeature> = []
  var showsTree = false
  var format = SummaryFormat.text
  /// The file that the tree is recorded in; nil for none.
  var recordPath: String?
  /// The file that the order is saved in; nil for none.
  var savedPath: String?
  /// The file with the saved order to continue; nil to begin anew.
  var restoredPath: String?
  /// The stage at which a saved order is stopped; nil to run it to its end.
  var lastStage: Stage?

  var scenario: OrderScenario {
    OrderScenario(from: from, to: to, link: link, seed: seed, fleet: fleet, fault: fault, time: time)
  }

  private static let known: [ArgumentScanner.Option] = [
    .init(name: "--from", takesValue: true), .init(name: "--to", takesValue: true),
    .init(name: "--link", takesValue: true), .init(name: "--seed", takesValue: true),
    .init(name: "--fleet", takesValue: true),
    .init(name: "--fault", takesValue: true), .init(name: "--disable", takesValue: true), .init(name: "--tree"),
    .init(name: "--format", takesValue: true), .init(name: "--save", takesValue: true),
    .init(name: "--restore", takesValue: true), .init(name: "--until", takesValue: true),
    .init(name: "--record", takesValue: true), .init(name: "--at", takesValue: true),
  ]

  /// The options that a saved order has already.
  private static let scenarioOptions: Set<String> = [
    "--from", "--to", "--link", "--seed", "--fleet", "--fault", "--at",
  ]

  init() {}

  init(_ arguments: ArraySlice<String>) throws(UsageError) {
    var scanner = ArgumentScanner(arguments, options: OrderOptions.known, topic: .order)
    var chosen: String?
    while let item = try scanner.next() {
      if case .option(let name, _) = item, OrderOptions.scenarioOptions.contains(name) { chosen = name }
      switch item {
      case .option("--from", let value): from = value
      case .option("--to", let value): to = value
      case .option("--link", let value): link = try OrderOptions.link(value)
      case .option("--fleet", let value): fleet = try OptionValue.fleet(value, see: .order)
      case .option("--seed", let value): seed = try OptionValue.seed(value, see: .order)
      case .option("--fault", let value): fault = try OptionValue.fault(value, see: .order)
      case .option("--at", let value): time = try OptionValue.time(value, of: "--at", see: .order)
      case .option("--disable", let value):
        disabledPayments.insert(try OptionValue.choice(value, of: "--disable", "means of payment", see: .order))
      case .option("--format", let value):
        format = try OptionValue.choice(value, of: "--format", "formats", see: .order)
      case .option("--save", let path): savedPath = try OptionValue.file(path, of: "--save", see: .order)
      case .option("--record", let path): recordPath = try OptionValue.file(path, of: "--record", see: .order)
      case .option("--restore", let path): restoredPath = path
      case .option("--until", let value):
        lastStage = try OptionValue.choice(value, of: "--until", "stages", see: .order)
      case .option: showsTree = true
      case .operand(let word):
        throw UsageError("'order' takes no '\(word.printable)'; zones follow '--from' and '--to'", see: .order)
      }
    }
    guard link == nil || (from == nil && to == nil) else {
      throw UsageError(
        "'--link' can't be combined with '--from' and '--to'", see: .order)
    }
    if restoredPath != nil, let chosen {
      throw UsageError("'--restore' can't be combined with '\(chosen)': the saved order has it", see: .order)
    }
    if lastStage != nil, savedPath == nil {
      throw UsageError("'--until' needs '--save FILE'", see: .order)
    }
  }

  private static func link(_ value: String) throws(UsageError) -> OrderLink {
    guard let link = OrderLink(value) else {
      throw UsageError(
        "'--link \(value.printable)': expected a link such as taxi://order?from=Elm%20Court&to=Mill%20Pond",
        see: .order)
    }
    return link
  }
}
