/// A kind of request to the backend.
enum Request: Int, CaseIterable, Hashable, Sendable {
  case nearbyTaxis, quote, taxi, status, position, payment, cancellation
}
