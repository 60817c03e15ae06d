// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

package import RIBs

/// The simulated backend of one order: all services, sharing nothing with other orders.
///
/// Answers depend only on the seed, the number of the order, the trip, the fault and the time on the order's clock,
/// so an order is deterministic whatever runs concurrently. Answers take no time. What the backend remembers is in its
/// memory, which outlives the client's process.
package final class OrderSimulation: Sendable {
  private static let names = ["Mara", "Idris", "Tove", "Anselm", "Keiko", "Ruben", "Salma", "Pavel"]
  /// How long a hanging request takes: longer than any timeout.
  private static let hang = Duration.seconds(86_400)
  /// How long an outage takes: longer than all retries of a request.
  private static let outage = Duration.seconds(40)

  private let trip: Trip
  private let fault: Fault?
  private let fleet: Int
  private let timeline: Timeline
  /// The driver of the first taxi. Each further taxi has the next driver.
  private let firstDriver: Int
  private let plate: String
  private let clock: any OrderClock
  private let requestCounter: RequestCounter?
  private let memory: BackendMemory
  /// The life of the client whose requests are answered.
  private let life: Int

  /// - Parameters:
  ///   - trip: the ride to simulate.
  ///   - seed: the seed of the run. The order's random numbers follow from it and from the order's number.
  ///   - fault: the fault to inject.
  ///   - fleet: the number of taxis near the rider.
  ///   - clock: the order's clock.
  ///   - requestCounter: checks the senders of requests; nil not to.
  ///   - memory: what the backend remembers of earlier lives of the client.
  package init(
    trip: Trip, seed: UInt64, fault: Fault? = nil, fleet: Int = 0, clock: any OrderClock,
    requestCounter: RequestCounter?,
    memory: BackendMemory = BackendMemory()
  ) {
    self.trip = trip
    self.fault = fault
    self.fleet = fleet
    self.clock = clock
    self.requestCounter = requestCounter
    self.memory = memory
    life = memory.beginLife()
    var random = SeededGenerator(seed: seed, order: trip.number)
    timeline = Timeline(of: trip, random: &random)
    firstDriver = random.below(OrderSimulation.names.count)
    plate = "T\(100 + random.below(900))-\(10 + random.below(90))"
  }

  /// The rider, made impatient if the fault is a cancellation.
  package var rider: Rider {
    var rider = trip.rider
    guard let fault else { return rider }
    // Never at a full second, when another event may be due.
    switch fault.kind {
    case .riderCancelsSearch: rider.cancellationTimes.search = .milliseconds(600 * fault.part)
    case .riderCancelsTaxi: rider.cancellationTimes.taxi = (timeline.departure * fault.part / 100).toQuarterSecond
    case .riderCancelsRide:
      rider.cancellationTimes.taxi =
        timeline.departure + ((timeline.end - timeline.departure) * fault.part / 100).toQuarterSecond
    default: break
    }
    return rider
  }

  /// Receives a request: checks its sender, injects the fault, and answers.
  private func receive<Answer: Sendable>(
    _ request: Request, from sender: NodeID?, _ answer: (inout BackendMemory.State) -> Answer
  ) async throws -> Answer {
    func send(_ count: () -> Void) throws { try memory.receive(request, in: life, at: clock.time, count) }
    if let requestCounter { try requestCounter.countRequest(from: sender, send) } else { try send {} }
    if fault?.kind == .backendDies { return try answerUnlessDown(request, answer) }
    if try injectsHang(into: request) { try await clock.sleep(for: OrderSimulation.hang) }
    return try memory.answer(in: life) { state in answer(&state) }
  }

  /// Answers a request unless the backend is down. The request with which the outage begins has its effect, and its
  /// answer is lost.
  private func answerUnlessDown<Answer: Sendable>(
    _ request: Request, _ answer: (inout BackendMemory.State) -> Answer
  ) throws -> Answer {
    let received = try memory.answer(in: life) { state -> Answer? in
      if let began = state.outageBegan {
        let isDown = request.concernsTaxi && clock.time - began < OrderSimulation.outage
        return isDown ? nil : answer(&state)
      }
      defer { state.calls[request.rawValue] += 1 }
      guard request == fault?.request, state.calls[request.rawValue] == fault?.call else { return answer(&state) }
      state.outageBegan = clock.time
      _ = answer(&state)
      return nil
    }
    guard let received else { throw ServiceUnavailable() }
    return received
  }

  /// - Returns: whether the request hangs.
  /// - Throws: if the request fails.
  private func injectsHang(into request: Request) throws -> Bool {
    guard let fault, fault.request == request else { return false }
    return try memory.answer(in: life) { state in
      let call = state.calls[request.rawValue]
      // A hanging request is not answered. So its repeat hangs too.
      if fault.kind == .requestHangs, call == fault.call { return true }
      state.calls[request.rawValue] += 1
      switch fault.kind {
      case .requestFails where call == fault.call:
        // Its retry is another request, also if a restored tree sends it at the same time.
        state.received[request.rawValue] = nil
        throw ServiceUnavailable()
      case .requestKeepsFailing where call >= fault.call: throw ServiceUnavailable()
      default: return false
      }
    }
  }
}

extension OrderSimulation: QuoteService {
  package func quote(from pickup: Place, to destination: Place?, sender: NodeID?) async throws -> Quote {
    try await receive(.quote, from: sender) { _ in destination == nil ? .metered : .fare(amount: trip.bill.fare) }
  }
}

extension OrderSimulation: DispatchService {
  package func nearbyTaxis(sender: NodeID?) async throws -> [NearbyTaxi] {
    try await receive(.nearbyTaxis, from: sender) { _ in timeline.nearbyTaxis(fleet, at: clock.time.offset) }
  }

  package func requestTaxi(for draft: OrderDraft, key: RequestKey, sender: NodeID?) async throws -> Assignment? {
    try await receive(.taxi, from: sender) { state in state.once(\.taxis, key, assign) }
  }

  private func assign(_ state: inout BackendMemory.State) -> Assignment? {
    if fault?.kind == .noTaxi || fault?.kind == .riderCancelsSearch { return nil }
    let name = OrderSimulation.names[(firstDriver + state.assignments) % OrderSimulation.names.count]
    state.assignments += 1
    state.assignedAt = clock.time
    return timeline.assignment(of: Driver(name: name, plate: plate), at: state.assignedAt)
  }

  package func status(sender: NodeID?) async throws -> TaxiStatus {
    try await receive(.status, from: sender) { state in
      if driverHasCancelled(state) { return .driverCancelled }
      return timeline.status(
        at: clock.time, of: state.assignedAt,
        ride: Ride(duration: trip.duration, distance: trip.distance, bill: trip.bill))
    }
  }

  package func cancel(key: RequestKey, sender: NodeID?) async throws -> Bool {
    try await receive(.cancellation, from: sender) { state in
      state.once(\.cancellations, key) { state in
        state.assignments == 0 || clock.time - state.assignedAt < timeline.departure
      }
    }
  }

  /// Whether the driver has cancelled, on the way to the rider or at the pickup.
  private func driverHasCancelled(_ state: BackendMemory.State) -> Bool {
    guard let fault else { return false }
    let cancellations =
      switch fault.kind {
      case .driverCancels: 1
      case .driverCancelsTwice: 2
      default: 0
      }
    guard state.assignments <= cancellations else { return false }
    return fault.call == 0 || clock.time - state.assignedAt >= timeline.arrival
  }
}

extension OrderSimulation: VehicleService {
  package func position(sender: NodeID?) async throws -> Position {
    try await receive(.position, from: sender) { state in timeline.position(at: clock.time - state.assignedAt) }
  }
}

extension OrderSimulation: PaymentService {
  package func charge(
    _ bill: Bill, to payment: Payment, key: RequestKey, sender: NodeID?
  ) async throws -> PaymentAnswer {
    try await receive(.payment, from: sender) { state in
      state.once(\.payments, key) { state in
        switch fault?.kind {
        case .everyCardDeclined: .declined
        case .cardDeclined where payment == .card && state.payments.isEmpty: .declined
        default: .paid
        }
      }
    }
  }
}

extension Duration {
  /// A quarter of a second after the last full second.
  fileprivate var toQuarterSecond: Duration { .seconds(components.seconds) + .milliseconds(250) }
}
