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
