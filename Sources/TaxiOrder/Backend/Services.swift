internal import RIBs

/// Tells what a ride will cost.
///
/// Every request to a service carries the id of the RIB that sends it, so that it can be told whether that was active.
protocol QuoteService: Sendable {
  func quote(from pickup: Place, to destination: Place?, sender: NodeID?) async throws -> Quote
}

/// Finds taxis, and tells how far they are.
protocol DispatchService: Sendable {
  func requestTaxi(for draft: OrderDraft, sender: NodeID?) async throws -> Assignment
  func status(sender: NodeID?) async throws -> TaxiStatus
}

/// Tells where the vehicle is.
protocol VehicleService: Sendable {
  func position(sender: NodeID?) async throws -> Position
}

/// Takes money from cards.
protocol PaymentService: Sendable {
  func charge(_ bill: Bill, sender: NodeID?) async throws -> PaidBill
}
