// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs
internal import TaxiOrder

/// Retries failed requests to a backend, with a timeout.
///
/// | | |
/// |-|-|
/// | a request that fails | is retried after 1 s, then after 2 s |
/// | the third failure | is thrown |
/// | a request without an answer | times out after 8 s, which is thrown |
struct ReliableServices: Sendable {
  private static let timeout = Duration.seconds(8)
  private static let attempts = 3
  private static let firstPause = Duration.seconds(1)

  private let services: OrderServices
  private let clock: VirtualClock

  init(_ services: OrderServices, clock: VirtualClock) {
    self.services = services
    self.clock = clock
  }

  private func request<Answer: Sendable>(_ send: @escaping @Sendable () async throws -> Answer) async throws -> Answer {
    var pause = ReliableServices.firstPause
    for _ in 1..<ReliableServices.attempts {
      do {
        return try await clock.withTimeout(ReliableServices.timeout, send)
      } catch is ServiceUnavailable {
        try await clock.sleep(for: pause)
        pause *= 2
      }
    }
    return try await clock.withTimeout(ReliableServices.timeout, send)
  }
}

extension ReliableServices: QuoteService {
  func quote(from pickup: Place, to destination: Place?, sender: NodeID?) async throws -> Quote {
    try await request { [quote = services.quote] in
      try await quote.quote(from: pickup, to: destination, sender: sender)
    }
  }
}

extension ReliableServices: DispatchService {
  func nearbyTaxis(sender: NodeID?) async throws -> [NearbyTaxi] {
    try await request { [dispatch = services.dispatch] in try await dispatch.nearbyTaxis(sender: sender) }
  }

  func requestTaxi(for draft: OrderDraft, key: RequestKey, sender: NodeID?) async throws -> Assignment? {
    try await request { [dispatch = services.dispatch] in
      try await dispatch.requestTaxi(for: draft, key: key, sender: sender)
    }
  }

  func status(sender: NodeID?) async throws -> TaxiStatus {
    try await request { [dispatch = services.dispatch] in try await dispatch.status(sender: sender) }
  }

  func cancel(key: RequestKey, sender: NodeID?) async throws -> Bool {
    try await request { [dispatch = services.dispatch] in try await dispatch.cancel(key: key, sender: sender) }
  }
}

extension ReliableServices: VehicleService {
  func position(sender: NodeID?) async throws -> Position {
    try await request { [vehicle = services.vehicle] in try await vehicle.position(sender: sender) }
  }
}

extension ReliableServices: PaymentService {
  func charge(
    _ bill: Bill, to payment: Payment, key: RequestKey, sender: NodeID?
  ) async throws -> PaymentAnswer {
    try await request { [service = services.payment] in
      try await service.charge(bill, to: payment, key: key, sender: sender)
    }
  }
}
