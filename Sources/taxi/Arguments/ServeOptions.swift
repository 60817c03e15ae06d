// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import TaxiOrder

/// The options of `taxi serve`.
struct ServeOptions: Hashable, Sendable {
  /// The number of sessions.
  var sessions = 3
  var showsEvents = false
  /// Whether the first session starts work that ignores its cancellation.
  var isStuck = false
  /// The file that the trees are recorded in; nil for none.
  var recordPath: String?

  private static let known: [ArgumentScanner.Option] = [
    .init(name: "--sessions", takesValue: true), .init(name: "--events"), .init(name: "--stuck"),
    .init(name: "--record", takesValue: true),
  ]

  init() {}

  init(_ arguments: ArraySlice<String>) throws(UsageError) {
    var scanner = ArgumentScanner(arguments, options: ServeOptions.known, topic: .serve)
    while let item = try scanner.next() {
      switch item {
      case .option("--sessions", let value):
        sessions = try OptionValue.count(value, of: "--sessions", upTo: 10_000, see: .serve)
      case .option("--events", _): showsEvents = true
      case .option("--record", let path): recordPath = try OptionValue.file(path, of: "--record", see: .serve)
      case .option: isStuck = true
      case .operand(let word):
        throw UsageError("'serve' takes no '\(word.printable)'; set the number with '--sessions N'", see: .serve)
      }
    }
  }
}
