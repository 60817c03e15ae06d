/// A service did not answer as it should. Another attempt may find it better.
struct ServiceUnavailable: Error, Hashable, CustomStringConvertible {
  var description: String { "the service is unavailable" }
}
