/// The options of `taxi simulate`.
struct SimulateOptions: Hashable, Sendable {
  /// How many orders to run.
  var orders: Int
  var series = SeriesOptions()

  private static let known = [ArgumentScanner.Option(name: "--orders", takesValue: true)] + SeriesOptions.known

  init(orders: Int) { self.orders = orders }

  init(_ arguments: ArraySlice<String>) throws(UsageError) {
    var scanner = ArgumentScanner(arguments, options: SimulateOptions.known, topic: .simulate)
    var orders: Int?
    while let item = try scanner.next() {
      switch item {
      case .option("--orders", let value):
        orders = try OptionValue.count(value, of: "--orders", "at least one order is run", see: .simulate)
      case .option(let option, let value): try series.take(option, value, see: .simulate)
      case .operand(let word):
        throw UsageError("'simulate' takes no '\(word.printable)'; say how many with '--orders N'", see: .simulate)
      }
    }
    guard let orders else { throw UsageError("say how many orders to run: '--orders N'", see: .simulate) }
    self.orders = orders
  }
}
