/// The options of `taxi tree`.
struct TreeOptions: Hashable, Sendable {
  var stage = Stage.underWay
  var seed: UInt64 = 1

  private static let known: [ArgumentScanner.Option] = [
    .init(name: "--stage", takesValue: true), .init(name: "--seed", takesValue: true),
  ]

  init() {}

  init(_ arguments: ArraySlice<String>) throws(UsageError) {
    var scanner = ArgumentScanner(arguments, options: TreeOptions.known, topic: .tree)
    while let item = try scanner.next() {
      switch item {
      case .option("--stage", let value):
        stage = try OptionValue.choice(value, of: "--stage", "stages", see: .tree)
      case .option(_, let value): seed = try OptionValue.seed(value, see: .tree)
      case .operand(let word):
        throw UsageError("'tree' takes no '\(word.printable)'; the stage follows '--stage'", see: .tree)
      }
    }
  }
}
