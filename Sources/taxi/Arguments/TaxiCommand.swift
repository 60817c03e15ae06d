// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import TaxiOrder

/// A parsed command line.
enum TaxiCommand: Hashable, Sendable {
  /// A topic of the help.
  enum Topic: String, CaseIterable, Sendable {
    case taxi, order, replay, simulate, orders, tree, watch, serve
  }

  case help(Topic)
  case version
  case order(OrderOptions)
  case replay(ReplayOptions)
  case simulate(SimulateOptions)
  case orders(OrdersOptions)
  case tree(TreeOptions)
  case watch(WatchOptions)
  case serve(ServeOptions)

  /// Parses the arguments, without the program name.
  init(_ arguments: [String]) throws(UsageError) {
    guard let first = arguments.first else {
      throw UsageError(
        "a command is missing: 'order', 'replay', 'simulate', 'orders', 'tree', 'watch' or 'serve'", see: .taxi)
    }
    let asksForHelp = arguments.prefix { $0 != "--" }.contains { $0 == "--help" || $0 == "-h" }
    switch first {
    case "order": self = asksForHelp ? .help(.order) : .order(try OrderOptions(arguments.dropFirst()))
    case "replay": self = asksForHelp ? .help(.replay) : .replay(try ReplayOptions(arguments.dropFirst()))
    case "simulate":
      self = asksForHelp ? .help(.simulate) : .simulate(try SimulateOptions(arguments.dropFirst()))
    case "orders": self = asksForHelp ? .help(.orders) : .orders(try OrdersOptions(arguments.dropFirst()))
    case "tree": self = asksForHelp ? .help(.tree) : .tree(try TreeOptions(arguments.dropFirst()))
    case "watch": self = asksForHelp ? .help(.watch) : .watch(try WatchOptions(arguments.dropFirst()))
    case "serve": self = asksForHelp ? .help(.serve) : .serve(try ServeOptions(arguments.dropFirst()))
    case "help":
      self = .help(arguments.dropFirst().first.flatMap(Topic.init) ?? .taxi)
    case _ where asksForHelp: self = .help(.taxi)
    case "--version":
      guard arguments.count == 1 else { throw UsageError("'--version' takes no arguments", see: .taxi) }
      self = .version
    default: throw TaxiCommand.unknown(first)
    }
  }

  private static func unknown(_ word: String) -> UsageError {
    let isOption = word.hasPrefix("-")
    let known =
      isOption ? ["--help", "--version"] : ["order", "replay", "simulate", "orders", "tree", "watch", "serve"]
    let advice = Suggestion.nearest(to: word, among: known).map { "; did you mean '\($0)'?" } ?? ""
    return UsageError("unknown \(isOption ? "option" : "command") '\(word.printable)'\(advice)", see: .taxi)
  }
}
