/// How far a taxi is with an order.
enum TaxiState: Hashable, Sendable {
  case assigned(Assignment)
  case approaching(eta: Duration)
  case arrived
  case riding(left: Duration)
  case ended(Ride)
}
