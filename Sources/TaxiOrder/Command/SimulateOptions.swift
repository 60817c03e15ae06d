/// The options of `taxi simulate`.
struct SimulateOptions: Hashable, Sendable {
  /// The number of orders to run.
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
        orders = try OptionValue.count(value, of: "--orders", "the number is 1 or more", see: .simulate)
      case .option(let option, let value): try series.take(option, value, see: .simulate)
      case .operand(let word):
        throw UsageError("'simulate' takes no '\(word.printable)'; set the number with '--orders N'", see: .simulate)
      }
    }
    guard let orders else { throw UsageError("the number of orders is missing: '--orders N'", see: .simulate) }
    self.orders = orders
  }
}
