// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs

@testable import TaxiOrder

/// A backend with scripted answers.
final class ScriptedService: QuoteService, DispatchService, VehicleService, PaymentService {
  struct Script {
    var quote = Quote.fare(amount: Cents(1000))
    var nearbyTaxis = [NearbyTaxi(id: 100, position: Position(east: 0, north: 0))]
    /// One for each request; the last is repeated.
    var assignments: [Assignment?] = [AppDependencyDouble.assignment]
    var statuses: [TaxiStatus] = [.taxi(.ended(ride: AppDependencyDouble.ride), nextPoll: nil)]
    var positions = [Position(east: 0, north: 0)]
    var payments = [PaymentAnswer.paid]
    var canBeCancelled = true
    /// The error of each request.
    var failure: ServiceUnavailable?
    /// The errors of some requests.
    var failures: [Request: ServiceUnavailable] = [:]
    /// The keys of the requests for a taxi and for a payment.
    var keys: [String] = []
    var requests: [Request] = []
  }

  private let script = Locked(Script())

  /// The requests, in order.
  var requests: [Request] { script.withLock { $0.requests } }

  /// The keys of the requests for a taxi and for a payment, in order.
  var keys: [String] { script.withLock { $0.keys } }

  func change(_ change: @Sendable (inout Script) -> Void) { script.withLock { change(&$0) } }

  func quote(from pickup: Place, to destination: Place?, sender: NodeID?) async throws -> Quote {
    try answer(.quote) { $0.quote }
  }

  func nearbyTaxis(sender: NodeID?) async throws -> [NearbyTaxi] { try answer(.nearbyTaxis) { $0.nearbyTaxis } }

  func requestTaxi(for draft: OrderDraft, key: RequestKey, sender: NodeID?) async throws -> Assignment? {
    script.withLock { $0.keys.append(key.text) }
    return try answer(.taxi) { ScriptedService.take(&$0.assignments) }
  }

  func status(sender: NodeID?) async throws -> TaxiStatus {
    try answer(.status) { ScriptedService.take(&$0.statuses) }
  }

  func cancel(key: RequestKey, sender: NodeID?) async throws -> Bool {
    try answer(.cancellation) { $0.canBeCancelled }
  }

  func position(sender: NodeID?) async throws -> Position {
    try answer(.position) { ScriptedService.take(&$0.positions) }
  }

  func charge(
    _ bill: Bill, to payment: Payment, key: RequestKey, sender: NodeID?
  ) async throws -> PaymentAnswer {
    script.withLock { $0.keys.append(key.text) }
    return try answer(.payment) { ScriptedService.take(&$0.payments) }
  }

  private func answer<Answer: Sendable>(_ request: Request, _ take: @Sendable (inout Script) -> Answer) throws -> Answer
  {
    try script.withLock { script in
      script.requests.append(request)
      if let failure = script.failure ?? script.failures[request] { throw failure }
      return take(&script)
    }
  }

  private static func take<Answer>(_ answers: inout [Answer]) -> Answer {
    answers.count > 1 ? answers.removeFirst() : answers[0]
  }
}
