/// A command line that means nothing.
struct UsageError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong, and what may have been meant.
  let description: String
  /// The command whose help to look at.
  let topic: TaxiCommand.Topic

  init(_ description: String, see topic: TaxiCommand.Topic) {
    self.description = description
    self.topic = topic
  }
}
