// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// The state of an order, with its transitions.
enum OrderState: Hashable, Codable, Sendable {
  case selecting
  /// - round: the number of the search, from 1.
  case dispatching(draft: OrderDraft, round: Int)
  case underWay(draft: OrderDraft, assignment: Assignment, round: Int)
  case settling(ride: Ride, payment: Payment)
  case receipt(paid: PaidBill)
  case rating(paid: PaidBill)
  case ended(outcome: OrderOutcome)

  /// The maximum number of searches: a second one if the driver cancels.
  static let rounds = 2

  /// An event that changes the state of an order.
  enum Event: Hashable, Sendable {
    case confirmed(OrderDraft)
    case assigned(Assignment)
    case driverCancelled
    case rideEnded(Ride)
    case settled(PaidBill)
    case receiptClosed
    case rated
    case cancelled
    case failed(reason: String)
  }

  /// The state after an event; nil if the event is ignored.
  func next(after event: Event) -> OrderState? {
    switch (self, event) {
    case (.ended, _): nil
    case (_, .failed(let reason)): .ended(outcome: .failed(reason: reason))
    case (.selecting, .confirmed(let draft)): .dispatching(draft: draft, round: 1)
    case (.dispatching(let draft, let round), .assigned(let assignment)):
      .underWay(draft: draft, assignment: assignment, round: round)
    case (.selecting, .cancelled), (.dispatching, .cancelled), (.underWay, .cancelled): .ended(outcome: .cancelled)
    case (.underWay(let draft, _, let round), .driverCancelled):
      round < OrderState.rounds
        ? .dispatching(draft: draft, round: round + 1)
        : .ended(outcome: .failed(reason: "the drivers have cancelled"))
    case (.underWay(let draft, _, _), .rideEnded(let ride)): .settling(ride: ride, payment: draft.payment)
    case (.settling, .settled(let paid)): .receipt(paid: paid)
    case (.receipt(let paid), .receiptClosed): .rating(paid: paid)
    case (.rating(let paid), .rated): .ended(outcome: .completed(charged: paid.bill.total))
    default: nil
    }
  }

  /// The stage of the flow; nil once the order has ended.
  var stage: Stage? {
    switch self {
    case .selecting: .selecting
    case .dispatching: .dispatching
    case .underWay: .underWay
    case .settling: .settling
    case .receipt: .receipt
    case .rating: .rating
    case .ended: nil
    }
  }

  /// The name of the state, in one or two words.
  var name: String {
    switch self {
    case .ended(let outcome): outcome.name
    default: stage?.title ?? ""
    }
  }
}

/// A stage of the flow, at which the tree can be shown.
package enum Stage: String, CaseIterable, Hashable, Sendable {
  case loggedOut = "logged-out"
  case selecting
  case dispatching
  case underWay = "under-way"
  case settling
  case receipt
  case rating
  case history

  /// The name as a heading.
  package var title: String { rawValue.split(separator: "-").joined(separator: " ") }

  /// What happens at this stage.
  package var summary: String {
    switch self {
    case .loggedOut: "the rider is not logged in"
    case .selecting: "the rider chooses, with the taxis nearby on the map"
    case .dispatching: "the app searches for a taxi"
    case .underWay: "the taxi picks the rider up and drives to the destination"
    case .settling: "the ride is paid for"
    case .receipt: "the rider reads the receipt"
    case .rating: "the rider rates the ride"
    case .history: "the rider sees past orders"
    }
  }
}
