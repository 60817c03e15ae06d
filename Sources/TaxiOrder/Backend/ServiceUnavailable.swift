/// A service failed to answer. A retry may succeed.
struct ServiceUnavailable: Error, Hashable, CustomStringConvertible {
  var description: String { "the service is unavailable" }
}
