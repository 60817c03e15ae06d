// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs

@testable import TaxiOrder

/// A service whose requests hang until they are cancelled.
final class StuckService: QuoteService, DispatchService, VehicleService, PaymentService {
  private let part: FaultyService.Part
  private let requests = AsyncStream<Void>.makeStream()

  init(_ part: FaultyService.Part) { self.part = part }

  func services(_ simulation: OrderSimulation) -> OrderServices {
    var services = OrderServices(simulation)
    switch part {
    case .quote: services.quote = self
    case .dispatch: services.dispatch = self
    case .vehicle: services.vehicle = self
    case .payment: services.payment = self
    }
    return services
  }

  /// Waits until a request has been received.
  func waitForRequest() async { for await _ in requests.stream { return } }

  func quote(from pickup: Place, to destination: Place?, sender: NodeID?) async throws -> Quote { try await hang() }
  func nearbyTaxis(sender: NodeID?) async throws -> [NearbyTaxi] { [] }
  func requestTaxi(for draft: OrderDraft, key: RequestKey, sender: NodeID?) async throws -> Assignment? {
    try await hang()
  }
  func status(sender: NodeID?) async throws -> TaxiStatus { try await hang() }
  func position(sender: NodeID?) async throws -> Position { try await hang() }
  func cancel(key: RequestKey, sender: NodeID?) async throws -> Bool { try await hang() }
  func charge(
    _ bill: Bill, to payment: Payment, key: RequestKey, sender: NodeID?
  ) async throws -> PaymentAnswer { try await hang() }

  private func hang() async throws -> Never {
    requests.continuation.yield()
    let (never, continuation) = AsyncStream<Never>.makeStream()
    for await _ in never {}
    continuation.finish()
    throw CancellationError()
  }
}
