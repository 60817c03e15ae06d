/// What a RIB can ask the backend for.
enum Request: Int, CaseIterable, Hashable, Sendable {
  case nearbyTaxis, quote, taxi, status, position, payment, cancellation
}
