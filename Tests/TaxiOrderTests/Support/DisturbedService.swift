// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs

@testable import TaxiOrder
@testable import TaxiSimulation

/// The backend of an order, which a test disturbs before it receives a request, or before its answer arrives.
struct DisturbedService: QuoteService, DispatchService, VehicleService, PaymentService {
  /// A service, which is disturbed.
  enum Part: CaseIterable {
    case quote, dispatch, vehicle, payment

    var requests: Set<Request> {
      switch self {
      case .quote: [.quote]
      case .dispatch: [.nearbyTaxis, .taxi, .status, .cancellation]
      case .vehicle: [.position]
      case .payment: [.payment]
      }
    }
  }

  struct Down: Error, CustomStringConvertible {
    let description: String
  }

  let backend: OrderSimulation
  let before: @Sendable (Request) async throws -> Void
  let after: @Sendable (Request) throws -> Void

  func quote(from pickup: Place, to destination: Place?, sender: NodeID?) async throws -> Quote {
    try await answer(.quote) { try await backend.quote(from: pickup, to: destination, sender: sender) }
  }

  func nearbyTaxis(sender: NodeID?) async throws -> [NearbyTaxi] {
    try await answer(.nearbyTaxis) { try await backend.nearbyTaxis(sender: sender) }
  }

  func requestTaxi(for draft: OrderDraft, key: RequestKey, sender: NodeID?) async throws -> Assignment? {
    try await answer(.taxi) { try await backend.requestTaxi(for: draft, key: key, sender: sender) }
  }

  func status(sender: NodeID?) async throws -> TaxiStatus {
    try await answer(.status) { try await backend.status(sender: sender) }
  }

  func position(sender: NodeID?) async throws -> Position {
    try await answer(.position) { try await backend.position(sender: sender) }
  }

  func cancel(key: RequestKey, sender: NodeID?) async throws -> Bool {
    try await answer(.cancellation) { try await backend.cancel(key: key, sender: sender) }
  }

  func charge(_ bill: Bill, to payment: Payment, key: RequestKey, sender: NodeID?) async throws -> PaymentAnswer {
    try await answer(.payment) { try await backend.charge(bill, to: payment, key: key, sender: sender) }
  }

  private func answer<Answer>(_ request: Request, _ body: () async throws -> Answer) async throws -> Answer {
    try await before(request)
    let answer = try await body()
    try after(request)
    return answer
  }
}

extension OrderRun {
  /// Disturbs the backend before it receives a request, or before its answer arrives.
  mutating func disturb(
    before: @escaping @Sendable (Request) async throws -> Void = { _ in },
    after: @escaping @Sendable (Request) throws -> Void = { _ in }
  ) {
    services = { OrderServices(DisturbedService(backend: $0, before: before, after: after)) }
  }
}
