/// The options of `taxi watch`.
struct WatchOptions: Hashable, Sendable {
  /// How many taxis there may be. Twice as many take four times as long.
  static let mostTaxis = 1_000

  /// How many taxis there are.
  var taxis = 6
  /// How many orders there are; nil for no end of them.
  var orders: Int?
  /// How many times as fast as people's time passes.
  var speed = 60
  var seed: UInt64 = 1
  /// What goes wrong; nil for anything.
  var fault: FaultKind?
  /// With how many orders something goes wrong; nil if it was not said.
  var faultRate: Double?

  /// A fault that is named goes wrong with every order, unless it is said with how many.
  var faults: FaultInjection { FaultInjection(rate: faultRate ?? (fault == nil ? 0 : 1), kind: fault) }

  private static let known: [ArgumentScanner.Option] = [
    .init(name: "--taxis", takesValue: true), .init(name: "--orders", takesValue: true),
    .init(name: "--speed", takesValue: true), .init(name: "--seed", takesValue: true),
    .init(name: "--fault", takesValue: true), .init(name: "--fault-rate", takesValue: true),
  ]

  init() {}

  init(_ arguments: ArraySlice<String>) throws(UsageError) {
    var scanner = ArgumentScanner(arguments, options: WatchOptions.known, topic: .watch)
    while let item = try scanner.next() {
      switch item {
      case .option("--taxis", let value):
        taxis = try OptionValue.count(
          value, of: "--taxis", upTo: WatchOptions.mostTaxis, "a fleet has 1 to \(WatchOptions.mostTaxis) taxis",
          see: .watch)
      case .option("--orders", let value):
        orders = try OptionValue.count(value, of: "--orders", "at least one order is run", see: .watch)
      case .option("--speed", let value):
        speed = try OptionValue.count(value, of: "--speed", "a speed is a whole number, 1 or more", see: .watch)
      case .option("--seed", let value): seed = try OptionValue.seed(value, see: .watch)
      case .option("--fault", let value): fault = try OptionValue.fault(value, see: .watch)
      case .option(let option, let value): faultRate = try OptionValue.probability(value, of: option, see: .watch)
      case .operand(let word):
        throw UsageError("'watch' takes no '\(word.printable)'; say how many taxis with '--taxis N'", see: .watch)
      }
    }
  }
}
