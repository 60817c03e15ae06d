internal import RIBs

/// Tells what a ride will cost.
///
/// Every request to a service carries the id of the RIB that sends it, so that it can be told whether that was active.
protocol QuoteService: Sendable {
  func quote(from pickup: Place, to destination: Place?, sender: NodeID?) async throws -> Quote
}

/// Finds taxis, and tells how far they are.
protocol DispatchService: Sendable {
  /// The free taxis near the rider.
  func nearbyTaxis(sender: NodeID?) async throws -> [NearbyTaxi]
  /// Asks for a taxi; nil if none is free.
  func requestTaxi(for draft: OrderDraft, sender: NodeID?) async throws -> Assignment?
  /// Asks how far the taxi is.
  func status(sender: NodeID?) async throws -> TaxiStatus
  /// Takes back the request for a taxi.
  ///
  /// - Returns: whether it was taken back; once the rider is riding it can't be.
  func cancel(sender: NodeID?) async throws -> Bool
}

/// Tells where the vehicle is.
protocol VehicleService: Sendable {
  func position(sender: NodeID?) async throws -> Position
}

/// Takes money from cards.
protocol PaymentService: Sendable {
  /// - Returns: whether the card was charged.
  func charge(_ bill: Bill, to payment: Payment, sender: NodeID?) async throws -> PaymentAnswer
}
