internal import RIBs

/// Quotes the price of a ride.
///
/// Each request to a service carries the id of the RIB that sends it, to check that the RIB is active. A request with an
/// effect also carries a key: a repeat has no further effect, and gets the same answer.
protocol QuoteService: Sendable {
  func quote(from pickup: Place, to destination: Place?, sender: NodeID?) async throws -> Quote
}

/// Finds taxis and reports their status.
protocol DispatchService: Sendable {
  /// The free taxis near the rider.
  func nearbyTaxis(sender: NodeID?) async throws -> [NearbyTaxi]
  /// Requests a taxi; nil if none is free.
  func requestTaxi(for draft: OrderDraft, key: RequestKey, sender: NodeID?) async throws -> Assignment?
  /// The status of the taxi.
  func status(sender: NodeID?) async throws -> TaxiStatus
  /// Cancels the request for a taxi.
  ///
  /// - Returns: whether it was cancelled. It can't be once the ride has begun.
  func cancel(key: RequestKey, sender: NodeID?) async throws -> Bool
}

/// Reports the position of the vehicle.
protocol VehicleService: Sendable {
  func position(sender: NodeID?) async throws -> Position
}

/// Charges cards.
protocol PaymentService: Sendable {
  /// - Returns: whether the card was charged.
  func charge(_ bill: Bill, to payment: Payment, key: RequestKey, sender: NodeID?) async throws -> PaymentAnswer
}

/// The services that an order needs.
struct OrderServices: Sendable {
  var quote: any QuoteService
  var dispatch: any DispatchService
  var vehicle: any VehicleService
  var payment: any PaymentService
}

extension OrderServices {
  /// All services of one backend.
  init(_ backend: some QuoteService & DispatchService & VehicleService & PaymentService) {
    self.init(quote: backend, dispatch: backend, vehicle: backend, payment: backend)
  }
}

/// A kind of request to the backend.
enum Request: Int, CaseIterable, Hashable, Sendable {
  case nearbyTaxis, quote, taxi, status, position, payment, cancellation

  /// Whether the request concerns the taxi of an order.
  var concernsTaxi: Bool { self == .taxi || self == .status || self == .position }
}

/// A service failed to answer. A retry may succeed.
struct ServiceUnavailable: Error, Hashable, CustomStringConvertible {
  var description: String { "the service is unavailable" }
}
