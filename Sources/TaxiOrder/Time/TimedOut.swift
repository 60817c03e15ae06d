/// Something took longer than it may.
struct TimedOut: Error, Hashable, CustomStringConvertible {
  let limit: Duration

  var description: String { "no answer within \(limit.components.seconds) s" }
}
