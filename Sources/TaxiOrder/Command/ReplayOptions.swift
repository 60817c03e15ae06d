internal import Foundation

/// The options of `taxi replay`.
struct ReplayOptions: Hashable, Sendable {
  enum Format: String, CaseIterable, Sendable {
    case text, json
  }

  /// The trip file; `-` for standard input.
  var path: String
  var concurrency = ProcessInfo.processInfo.activeProcessorCount
  var seed: UInt64 = 1
  var format = Format.text
  var showsProgress = true

  private static let known: [ArgumentScanner.Option] = [
    .init(name: "--concurrency", takesValue: true), .init(name: "--seed", takesValue: true),
    .init(name: "--format", takesValue: true), .init(name: "--no-progress"),
  ]

  init(path: String) { self.path = path }

  init(_ arguments: ArraySlice<String>) throws(UsageError) {
    var scanner = ArgumentScanner(arguments, options: ReplayOptions.known, topic: .replay)
    var paths: [String] = []
    path = ""
    while let item = try scanner.next() {
      switch item {
      case .option("--concurrency", let value): concurrency = try ReplayOptions.concurrency(value)
      case .option("--seed", let value): seed = try TaxiCommand.seed(value, see: .replay)
      case .option("--format", let value): format = try ReplayOptions.format(value)
      case .option: showsProgress = false
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

  private static func concurrency(_ value: String) throws(UsageError) -> Int {
    guard let concurrency = Int(value), concurrency >= 1 else {
      throw UsageError("'--concurrency \(value.printable)': at least one order runs at a time", see: .replay)
    }
    return concurrency
  }

  private static func format(_ value: String) throws(UsageError) -> Format {
    if let format = Format(rawValue: value) { return format }
    let known = Format.allCases.map(\.rawValue)
    let advice = Suggestion.nearest(to: value, among: known).map { "; did you mean '\($0)'?" } ?? ""
    throw UsageError(
      "'--format \(value.printable)': the formats are \(known.joined(separator: " and "))\(advice)", see: .replay)
  }
}
