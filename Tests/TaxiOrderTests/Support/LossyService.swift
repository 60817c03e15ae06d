// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs

@testable import TaxiOrder

/// A backend whose first answers to requests with an effect are lost.
final class LossyService: Sendable {
  /// The number of lost answers of each kind: more than a request is retried.
  static let answers = 4

  private let counts = Locked<[Request: Int]>([:])

  /// The number of answers lost so far.
  var lost: [Request: Int] { counts.withLock { $0 } }

  func services(_ simulation: OrderSimulation) -> OrderServices {
    var services = OrderServices(simulation)
    services.dispatch = Dispatch(simulation: simulation, losses: self)
    services.payment = Payments(simulation: simulation, losses: self)
    return services
  }

  /// - Throws: if the answer to the request is lost.
  fileprivate func transmit<Answer>(_ answer: Answer, to request: Request) throws -> Answer {
    let isLost = counts.withLock { counts in
      guard counts[request, default: 0] < LossyService.answers else { return false }
      counts[request, default: 0] += 1
      return true
    }
    if isLost { throw ServiceUnavailable() }
    return answer
  }

  private struct Dispatch: DispatchService {
    let simulation: OrderSimulation
    let losses: LossyService

    func nearbyTaxis(sender: NodeID?) async throws -> [NearbyTaxi] {
      try await simulation.nearbyTaxis(sender: sender)
    }

    func requestTaxi(for draft: OrderDraft, key: RequestKey, sender: NodeID?) async throws -> Assignment? {
      try losses.transmit(await simulation.requestTaxi(for: draft, key: key, sender: sender), to: .taxi)
    }

    func status(sender: NodeID?) async throws -> TaxiStatus { try await simulation.status(sender: sender) }

    func cancel(key: RequestKey, sender: NodeID?) async throws -> Bool {
      try await simulation.cancel(key: key, sender: sender)
    }
  }

  private struct Payments: PaymentService {
    let simulation: OrderSimulation
    let losses: LossyService

    func charge(_ bill: Bill, to payment: Payment, key: RequestKey, sender: NodeID?) async throws -> PaymentAnswer {
      try losses.transmit(
        await simulation.charge(bill, to: payment, key: key, sender: sender), to: .payment)
    }
  }
}
