// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// What a rider sees of an order.
public enum OrderStatus: Hashable, Codable, Sendable {
  /// The rider is not signed in.
  case signedOut
  /// The rider is signed in, and has not ordered a taxi yet.
  case signedIn
  /// The order is open. The fare is requested as soon as the pickup and the destination are chosen.
  case choosing(choices: OrderChoices)
  /// All choices are made, and the fare is known. The rider confirms, or changes a choice.
  case confirming(draft: OrderDraft)
  /// A taxi is searched at a date.
  case scheduled(time: OrderTime)
  /// A taxi is searched.
  case searching
  /// A taxi has accepted the order.
  case underWay(assignment: Assignment, taxi: TaxiState)
  /// The ride is paid for.
  case paying(total: Cents)
  /// The means of payment in `declined` were declined, and the rider chooses another. The last one is charged once more at
  /// `retry`.
  case choosingPayment(declined: [Payment], retry: OrderTime?)
  /// The ride is paid, and the order is about to end.
  case paid(total: Cents)
  /// The last order has ended. The rider can order again.
  case ended(outcome: OrderOutcome)

  /// The status in one or two words.
  public var name: String {
    switch self {
    case .signedOut: "signed out"
    case .signedIn: "signed in"
    case .choosing: "choosing"
    case .confirming: "confirming"
    case .scheduled: "scheduled"
    case .searching: "searching"
    case .underWay: "under way"
    case .paying: "paying"
    case .choosingPayment: "choosing payment"
    case .paid: "paid"
    case .ended(let outcome): outcome.name
    }
  }

  /// Whether the rider can order a taxi.
  var canOrder: Bool {
    switch self {
    case .signedIn, .ended: true
    default: false
    }
  }

  /// Whether the order can be cancelled, as far as the app knows.
  var canCancel: Bool {
    switch self {
    case .choosing, .confirming, .scheduled, .searching: true
    case .underWay(_, let taxi): taxi.isBeforeRide
    default: false
    }
  }

  /// The status of an order on entering a state; nil once the order has ended, which LoggedIn shows.
  init?(_ state: OrderState) {
    switch state {
    case .selecting: self = .choosing(choices: OrderChoices())
    case .dispatching: self = .searching
    case .underWay(_, let assignment, _):
      self = .underWay(assignment: assignment, taxi: .assigned(assignment: assignment))
    case .settling(let ride, _): self = .paying(total: ride.bill.total)
    case .receipt(let paid), .rating(let paid): self = .paid(total: paid.bill.total)
    case .ended: return nil
    }
  }
}
