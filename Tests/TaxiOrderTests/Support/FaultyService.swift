// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs

@testable import TaxiOrder

/// A service that always fails.
struct FaultyService: QuoteService, DispatchService, VehicleService, PaymentService {
  enum Part: CaseIterable {
    case quote, dispatch, vehicle, payment
  }

  struct Down: Error, CustomStringConvertible {
    let description: String
  }

  private let part: Part

  init(_ part: Part) { self.part = part }

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

  func quote(from pickup: Place, to destination: Place?, sender: NodeID?) async throws -> Quote { throw down }
  func nearbyTaxis(sender: NodeID?) async throws -> [NearbyTaxi] { throw down }
  func requestTaxi(for draft: OrderDraft, key: RequestKey, sender: NodeID?) async throws -> Assignment? { throw down }
  func status(sender: NodeID?) async throws -> TaxiStatus { throw down }
  func position(sender: NodeID?) async throws -> Position { throw down }
  func cancel(key: RequestKey, sender: NodeID?) async throws -> Bool { throw down }
  func charge(
    _ bill: Bill, to payment: Payment, key: RequestKey, sender: NodeID?
  ) async throws -> PaymentAnswer { throw down }

  private var down: Down { Down(description: "\(part) is down") }
}
