// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// A kind of fault.
package enum FaultKind: String, CaseIterable, Codable, Sendable {
  case noTaxi = "no-taxi"
  case requestFails = "request-fails"
  case requestKeepsFailing = "request-keeps-failing"
  case requestHangs = "request-hangs"
  case backendDies = "backend-dies"
  case riderCancelsSearch = "rider-cancels-search"
  case riderCancelsTaxi = "rider-cancels-taxi"
  case riderCancelsRide = "rider-cancels-ride"
  case driverCancels = "driver-cancels"
  case driverCancelsTwice = "driver-cancels-twice"
  case cardDeclined = "card-declined"
  case everyCardDeclined = "every-card-declined"

  /// What happens, and how the order ends.
  package var summary: String {
    switch self {
    case .noTaxi: "no taxi is free for any request: failed"
    case .requestFails: "a request fails, and its retry succeeds: completed"
    case .requestKeepsFailing: "a request and all its retries fail: failed"
    case .requestHangs: "a request is not answered in time: failed"
    case .backendDies: "the backend is down for a while, and the RIBs that need it are restarted: completed"
    case .riderCancelsSearch: "the rider cancels during the search for a taxi: cancelled"
    case .riderCancelsTaxi: "the rider cancels while the taxi is on its way: cancelled"
    case .riderCancelsRide: "the rider tries to cancel during the ride: completed"
    case .driverCancels: "the driver cancels, and another taxi comes: completed"
    case .driverCancelsTwice: "the driver cancels, and so does the next one: failed"
    case .cardDeclined: "a card is declined, and another one is not: completed"
    case .everyCardDeclined: "all cards are declined: failed"
    }
  }

  /// Whether the fault has no effect for a rider who pays cash.
  var concernsCards: Bool { self == .cardDeclined || self == .everyCardDeclined }
}

/// A fault in one order: its kind and where it occurs.
package struct Fault: Hashable, Sendable {
  let kind: FaultKind
  /// The request that fails, or with which the outage begins, if the fault concerns one.
  let request: Request
  /// The index of that request among those of its kind in the order.
  let call: Int
  /// How far the order proceeds before the rider cancels, in percent.
  let part: Int

  init(_ kind: FaultKind, request: Request? = nil, call: Int = 0, part: Int = 50) {
    self.kind = kind
    self.request = request ?? (kind == .backendDies ? .taxi : .quote)
    self.call = call
    self.part = part
  }
}

extension Fault {
  /// The requests that an order can't do without, by kind and index.
  private static let requiredRequests: [(request: Request, call: Int)] =
    [(.quote, 0)] + taxiRequests + [(.payment, 0)]
  /// The requests about the taxi, which fail during an outage.
  private static let taxiRequests: [(request: Request, call: Int)] =
    [(.taxi, 0)] + (0..<4).map { (.status, $0) } + (0..<3).map { (.position, $0) }

  /// Chooses where a fault occurs.
  ///
  /// - Parameters:
  ///   - kind: the kind of fault.
  ///   - paysByCard: whether there is a payment request that can fail.
  ///   - random: the source of the choice.
  init(_ kind: FaultKind, paysByCard: Bool, random: inout SeededGenerator) {
    let requests =
      kind == .backendDies
      ? Fault.taxiRequests[...] : paysByCard ? Fault.requiredRequests[...] : Fault.requiredRequests.dropLast()
    let target = requests[random.below(requests.count)]
    // The poll before the ride at which the driver cancels.
    let poll = random.below(2)
    let isDriver = kind == .driverCancels || kind == .driverCancelsTwice
    self.init(
      kind, request: target.request, call: isDriver ? poll : target.call, part: 5 + random.below(90))
  }
}

/// Decides which orders of a run have a fault, and which one.
package struct FaultInjection: Hashable, Sendable {
  package static let none = FaultInjection(rate: 0)

  /// The probability that an order has a fault.
  package var rate: Double
  /// The kind of fault; nil to choose any with equal probability.
  package var kind: FaultKind?

  package init(rate: Double, kind: FaultKind? = nil) {
    self.rate = rate
    self.kind = kind
  }

  /// The fault of an order. Depends only on the seed and the trip.
  package func fault(of trip: Trip, seed: UInt64) -> Fault? {
    guard rate > 0 else { return nil }
    // Separate random numbers, so that an order without a fault is the same as in a run without faults.
    var random = SeededGenerator(seed: ~seed, order: trip.number)
    guard random.fraction() < rate else { return nil }
    let kind = kind ?? FaultKind.allCases[random.below(FaultKind.allCases.count)]
    return Fault(kind, paysByCard: trip.rider.payment != .cash, random: &random)
  }
}
