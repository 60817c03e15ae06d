// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import TaxiOrder
internal import TaxiSimulation

/// Parses the values of options.
enum OptionValue {
  /// A number from 1 to a bound.
  static func count(
    _ value: String, of option: String, upTo most: Int = .max, see topic: TaxiCommand.Topic
  ) throws(UsageError) -> Int {
    guard let count = Int(value), (1...most).contains(count) else {
      throw UsageError("'\(option) \(value.printable)': the number is 1 to \(most)", see: topic)
    }
    return count
  }

  /// The path of a file to write.
  static func file(_ value: String, of option: String, see topic: TaxiCommand.Topic) throws(UsageError) -> String {
    guard !value.isEmpty else { throw UsageError("'\(option)': the path of the file is empty", see: topic) }
    return value
  }

  /// The path of a directory.
  static func directory(_ value: String, see topic: TaxiCommand.Topic) throws(UsageError) -> String {
    guard !value.isEmpty else { throw UsageError("'--store': the path of the directory is empty", see: topic) }
    return value
  }

  static func seed(_ value: String, see topic: TaxiCommand.Topic) throws(UsageError) -> UInt64 {
    guard let seed = UInt64(value) else {
      throw UsageError("'--seed \(value.printable)': a seed is a whole number, 0 to \(UInt64.max)", see: topic)
    }
    return seed
  }

  /// A time of the order's clock, which begins at 0:00.
  static func time(_ value: String, of option: String, see topic: TaxiCommand.Topic) throws(UsageError) -> OrderTime {
    let parts = value.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let hours = Int(parts[0]), let minutes = Int(parts[1]), parts[1].utf8.count == 2,
      (0..<1_000).contains(hours), (0..<60).contains(minutes)
    else { throw UsageError("'\(option) \(value.printable)': expected hours and minutes, such as 8:30", see: topic) }
    return OrderTime(.seconds(hours * 3_600 + minutes * 60))
  }

  /// A number from 0 to 1.
  static func probability(_ value: String, of option: String, see topic: TaxiCommand.Topic)
    throws(UsageError) -> Double
  {
    guard let probability = Double(value), (0...1).contains(probability) else {
      throw UsageError("'\(option) \(value.printable)': a probability is a number from 0 to 1", see: topic)
    }
    return probability
  }

  /// The number of taxis near a rider.
  static func fleet(_ value: String, see topic: TaxiCommand.Topic) throws(UsageError) -> Int {
    guard let count = Int(value), OrderScenario.fleets.contains(count) else {
      throw UsageError(
        "'--fleet \(value.printable)': a fleet has 0 to \(OrderScenario.fleets.upperBound) taxis", see: topic)
    }
    return count
  }

  static func fault(_ value: String, see topic: TaxiCommand.Topic) throws(UsageError) -> FaultKind {
    try choice(value, of: "--fault", "faults", see: topic)
  }

  /// One of a set of words.
  static func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ value: String, of option: String, _ what: String, see topic: TaxiCommand.Topic
  ) throws(UsageError) -> Choice {
    if let choice = Choice(rawValue: value) { return choice }
    let known = Choice.allCases.map(\.rawValue)
    let advice = Suggestion.nearest(to: value, among: known).map { "; did you mean '\($0)'?" } ?? ""
    let list =
      known.count < 2 ? known.joined() : known.dropLast().joined(separator: ", ") + " and " + known[known.count - 1]
    throw UsageError("'\(option) \(value.printable)': the \(what) are \(list)\(advice)", see: topic)
  }
}
