/// Splits a command's arguments into options and operands.
///
/// A value follows its option or an equals sign: `--seed 7`, `--seed=7`. After `--` all arguments are operands; `-`
/// is always one.
struct ArgumentScanner {
  /// An option that a command knows.
  struct Option: Hashable, Sendable {
    let name: String
    var takesValue = false
  }

  enum Item: Hashable {
    case option(String, value: String)
    case operand(String)
  }

  private var arguments: ArraySlice<String>
  private let options: [Option]
  private let topic: TaxiCommand.Topic
  private var optionsHaveEnded = false

  init(_ arguments: ArraySlice<String>, options: [Option], topic: TaxiCommand.Topic) {
    self.arguments = arguments
    self.options = options
    self.topic = topic
  }

  /// The next option or operand; nil at the end.
  mutating func next() throws(UsageError) -> Item? {
    guard let argument = arguments.popFirst() else { return nil }
    if optionsHaveEnded || argument == "-" || !argument.hasPrefix("-") { return .operand(argument) }
    if argument == "--" {
      optionsHaveEnded = true
      return try next()
    }
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let option = options.first(where: { $0.name == parts[0] }) else { throw unknown(parts[0]) }
    guard option.takesValue else {
      guard parts.count == 1 else { throw UsageError("option '\(option.name)' takes no value", see: topic) }
      return .option(option.name, value: "")
    }
    guard let value = parts.count == 2 ? parts[1] : arguments.popFirst() else {
      throw UsageError("option '\(option.name)' needs a value", see: topic)
    }
    return .option(option.name, value: value)
  }

  private func unknown(_ name: String) -> UsageError {
    let known = options.map(\.name) + ["--help"]
    let advice = Suggestion.nearest(to: name, among: known).map { "; did you mean '\($0)'?" } ?? ""
    return UsageError("unknown option '\(name.printable)'\(advice)", see: topic)
  }
}
