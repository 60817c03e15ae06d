/// An operation exceeded its time limit.
struct TimedOut: Error, Hashable, CustomStringConvertible {
  let limit: Duration

  var description: String { "no answer within \(limit.components.seconds) s" }
}
