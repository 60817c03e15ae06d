// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

public import RIBs

/// Quotes the price of a ride.
///
/// Each request to a service carries the id of the RIB that sends it, to check that the RIB is active. A request with an
/// effect also carries a key: a repeat has no further effect, and gets the same answer.
public protocol QuoteService: Sendable {
  /// The price of a ride.
  ///
  /// - Parameters:
  ///   - pickup: where it begins.
  ///   - destination: where it ends; nil if the rider does not say.
  ///   - sender: the RIB that sends the request, in the tree of the order.
  func quote(from pickup: Place, to destination: Place?, sender: NodeID?) async throws -> Quote
}

/// Finds taxis and reports their status, for one rider.
public protocol DispatchService: Sendable {
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
public protocol VehicleService: Sendable {
  /// The position of the taxi with the order.
  func position(sender: NodeID?) async throws -> Position
}

/// Charges cards.
public protocol PaymentService: Sendable {
  /// Charges a card.
  ///
  /// - Returns: whether it was charged.
  func charge(_ bill: Bill, to payment: Payment, key: RequestKey, sender: NodeID?) async throws -> PaymentAnswer
}

/// The services that a rider's orders need: the backend.
public struct OrderServices: Sendable {
  /// Quotes prices.
  public var quote: any QuoteService
  /// Finds taxis.
  public var dispatch: any DispatchService
  /// Locates the taxi.
  public var vehicle: any VehicleService
  /// Charges cards.
  public var payment: any PaymentService

  /// Combines services.
  public init(
    quote: any QuoteService, dispatch: any DispatchService, vehicle: any VehicleService, payment: any PaymentService
  ) {
    self.quote = quote
    self.dispatch = dispatch
    self.vehicle = vehicle
    self.payment = payment
  }
}

extension OrderServices {
  /// All services of one backend.
  public init(_ backend: some QuoteService & DispatchService & VehicleService & PaymentService) {
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
package struct ServiceUnavailable: Error, Hashable, CustomStringConvertible {
  package var description: String { "the service is unavailable" }
}
