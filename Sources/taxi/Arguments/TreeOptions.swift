// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBsInspector
internal import TaxiOrder

/// The options of `taxi tree`.
struct TreeOptions: Hashable, Sendable {
  var stage = Stage.underWay
  var seed: UInt64 = 1
  /// The number of free taxis near the rider.
  var fleet = 3
  var format = TreeFormat.text

  private static let known: [ArgumentScanner.Option] = [
    .init(name: "--stage", takesValue: true), .init(name: "--seed", takesValue: true),
    .init(name: "--fleet", takesValue: true),
    .init(name: "--format", takesValue: true),
  ]

  init() {}

  init(_ arguments: ArraySlice<String>) throws(UsageError) {
    var scanner = ArgumentScanner(arguments, options: TreeOptions.known, topic: .tree)
    while let item = try scanner.next() {
      switch item {
      case .option("--stage", let value):
        stage = try OptionValue.choice(value, of: "--stage", "stages", see: .tree)
      case .option("--fleet", let value): fleet = try OptionValue.fleet(value, see: .tree)
      case .option("--seed", let value): seed = try OptionValue.seed(value, see: .tree)
      case .option(let option, let value): format = try OptionValue.choice(value, of: option, "formats", see: .tree)
      case .operand(let word):
        throw UsageError("'tree' takes no '\(word.printable)'; the stage follows '--stage'", see: .tree)
      }
    }
  }
}
