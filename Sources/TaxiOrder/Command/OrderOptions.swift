/// The options of `taxi order`.
struct OrderOptions: Hashable, Sendable {
  var from: String?
  var to: String?
  var seed: UInt64 = 1
  var showsTree = false

  private static let known: [ArgumentScanner.Option] = [
    .init(name: "--from", takesValue: true), .init(name: "--to", takesValue: true),
    .init(name: "--seed", takesValue: true), .init(name: "--tree"),
  ]

  init() {}

  init(_ arguments: ArraySlice<String>) throws(UsageError) {
    var scanner = ArgumentScanner(arguments, options: OrderOptions.known, topic: .order)
    while let item = try scanner.next() {
      switch item {
      case .option("--from", let value): from = value
      case .option("--to", let value): to = value
      case .option("--seed", let value): seed = try TaxiCommand.seed(value, see: .order)
      case .option: showsTree = true
      case .operand(let word):
        throw UsageError("'order' takes no '\(word.printable)'; zones follow '--from' and '--to'", see: .order)
      }
    }
  }
}

extension TaxiCommand {
  /// Reads the value of `--seed`.
  static func seed(_ value: String, see topic: Topic) throws(UsageError) -> UInt64 {
    guard let seed = UInt64(value) else {
      throw UsageError("'--seed \(value.printable)': a seed is a whole number, 0 or more", see: topic)
    }
    return seed
  }
}
