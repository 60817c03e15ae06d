// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import TaxiOrder

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

/// Suggests corrections of misspelled words.
enum Suggestion {
  /// The most similar known word; nil if none is similar enough.
  static func nearest(to word: String, among known: [String]) -> String? {
    let ranked = known.map { (word: $0, distance: distance(Array(word), Array($0))) }
    guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
    return best.distance <= max(2, best.word.count / 2) ? best.word : nil
  }

  /// The Levenshtein distance of two words.
  static func distance(_ one: [Character], _ other: [Character]) -> Int {
    var row = Array(0...other.count)
    for (index, letter) in one.enumerated() {
      var corner = row[0]
      row[0] = index + 1
      for column in other.indices {
        let replaced = corner + (letter == other[column] ? 0 : 1)
        corner = row[column + 1]
        row[column + 1] = min(replaced, row[column] + 1, corner + 1)
      }
    }
    return row[other.count]
  }
}

/// An invalid command line.
struct UsageError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The problem, and a suggestion if there is one.
  let description: String
  /// The command whose help applies.
  let topic: TaxiCommand.Topic

  init(_ description: String, see topic: TaxiCommand.Topic) {
    self.description = description
    self.topic = topic
  }
}
