// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

/// The simulated taxi company and bank of one rider. It has one order at a time, whose backend is an `OrderSimulation`.
final class TaxiCompany: Sendable {
  struct State: Codable, Sendable {
    /// The number of orders so far.
    var orders = 0
    /// What the keys of the latest order's requests have in common; nil before the first order.
    var key: String?
    /// The choices of the latest order.
    var draft = OrderDraft()
    var memory = BackendMemory.State()
  }

  private struct Order: Sendable {
    var number: Int
    var key: String?
    var draft: OrderDraft
    var memory: BackendMemory
    var backend: OrderSimulation
  }

  private static let fleet = 5

  private let seed: UInt64
  private let ordersUntilDecline: Int?
  private let clock: any OrderClock
  private let order: Locked<Order>

  init(seed: UInt64, ordersUntilDecline: Int?, clock: any OrderClock) {
    self.seed = seed
    self.ordersUntilDecline = ordersUntilDecline
    self.clock = clock
    order = Locked(TaxiCompany.order(State(), seed, ordersUntilDecline, clock))
  }

  var state: State {
    order.withLock { order in
      State(orders: order.number, key: order.key, draft: order.draft, memory: order.memory.state)
    }
  }

  func restore(_ state: State) {
    let restored = TaxiCompany.order(state, seed, ordersUntilDecline, clock)
    order.withLock { $0 = restored }
  }

  /// The backend of the latest order.
  private var backend: OrderSimulation { order.withLock(\.backend) }

  /// The backend of the order that a request belongs to. The first request of an order begins it.
  private func backend(of draft: OrderDraft, key: RequestKey) -> OrderSimulation {
    let key = String(key.text.prefix { $0 != "." })
    return order.withLock { order in
      if order.key != key {
        order = TaxiCompany.order(
          State(orders: order.number + 1, key: key, draft: draft), seed, ordersUntilDecline, clock)
      }
      return order.backend
    }
  }

  private static func order(
    _ state: State, _ seed: UInt64, _ ordersUntilDecline: Int?, _ clock: any OrderClock
  ) -> Order {
    let memory = BackendMemory(state.memory)
    let isDeclined = ordersUntilDecline.map { state.orders > 0 && state.orders.isMultiple(of: max($0, 1)) } ?? false
    let seed = state.draft.seed(seed)
    let backend = OrderSimulation(
      trip: .generated(number: state.orders, seed: seed), seed: seed, fault: isDeclined ? Fault(.cardDeclined) : nil,
      fleet: fleet, clock: clock, requestCounter: nil, memory: memory)
    return Order(number: state.orders, key: state.key, draft: state.draft, memory: memory, backend: backend)
  }
}

extension TaxiCompany: QuoteService {
  func quote(from pickup: Place, to destination: Place?, sender: NodeID?) async throws -> Quote {
    var draft = OrderDraft()
    (draft.pickup, draft.destination) = (pickup, destination)
    let next = State(orders: order.withLock(\.number) + 1, draft: draft)
    return try await TaxiCompany.order(next, seed, ordersUntilDecline, clock).backend
      .quote(from: pickup, to: destination, sender: sender)
  }
}

extension TaxiCompany: DispatchService {
  func nearbyTaxis(sender: NodeID?) async throws -> [NearbyTaxi] { try await backend.nearbyTaxis(sender: sender) }

  func requestTaxi(for draft: OrderDraft, key: RequestKey, sender: NodeID?) async throws -> Assignment? {
    try await backend(of: draft, key: key).requestTaxi(for: draft, key: key, sender: sender)
  }

  func status(sender: NodeID?) async throws -> TaxiStatus { try await backend.status(sender: sender) }

  func cancel(key: RequestKey, sender: NodeID?) async throws -> Bool {
    try await backend.cancel(key: key, sender: sender)
  }
}

extension TaxiCompany: VehicleService {
  func position(sender: NodeID?) async throws -> Position { try await backend.position(sender: sender) }
}

extension TaxiCompany: PaymentService {
  func charge(_ bill: Bill, to payment: Payment, key: RequestKey, sender: NodeID?) async throws -> PaymentAnswer {
    try await backend.charge(bill, to: payment, key: key, sender: sender)
  }
}

extension OrderDraft {
  /// A seed that depends on where the ride begins and ends.
  fileprivate func seed(_ seed: UInt64) -> UInt64 {
    "\(pickup)\n\(destination.map { "\($0)" } ?? "")".utf8.reduce(seed) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }
}
