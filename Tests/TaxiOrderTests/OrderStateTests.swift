// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TaxiOrder

@Suite("The state of an order")
struct OrderStateTests {
  private static let assignment = Assignment(
    driver: Driver(name: "Mara", plate: "T1"), position: Position(east: 0, north: 0), arrival: OrderTime(.seconds(60)),
    nextPoll: OrderTime(.seconds(30)))
  private static let bill = Bill(fare: Cents(1), tip: Cents(2), tolls: Cents(3), surcharge: Cents(4))
  private static let ride = Ride(duration: .seconds(1), distance: Distance(micromiles: 1), bill: bill)
  private static let paid = PaidBill(bill: bill, payment: .cash)
  private static let draft = OrderDraft()

  private static func dispatching(_ round: Int) -> OrderState { .dispatching(draft: draft, round: round) }
  private static func underWay(_ round: Int) -> OrderState {
    .underWay(draft: draft, assignment: assignment, round: round)
  }
  private static let settling = OrderState.settling(ride: ride, payment: .cash)

  private static let states: [OrderState] = [
    .selecting, dispatching(1), dispatching(2), underWay(1), underWay(2), settling, .receipt(paid: paid),
    .rating(paid: paid), .ended(outcome: .completed(charged: Cents(10))), .ended(outcome: .cancelled),
    .ended(outcome: .failed(reason: "…")),
  ]
  private static let events: [OrderState.Event] = [
    .confirmed(draft), .assigned(assignment), .driverCancelled, .rideEnded(ride), .settled(paid), .receiptClosed,
    .rated, .cancelled, .failed(reason: "no"),
  ]

  /// The transitions, except those by cancellations and failures.
  private static let transitions: [(state: OrderState, event: OrderState.Event, next: OrderState)] = [
    (.selecting, .confirmed(draft), dispatching(1)),
    (dispatching(1), .assigned(assignment), underWay(1)), (dispatching(2), .assigned(assignment), underWay(2)),
    (underWay(1), .driverCancelled, dispatching(2)), (underWay(1), .rideEnded(ride), settling),
    (underWay(2), .driverCancelled, .ended(outcome: .failed(reason: "the drivers have cancelled"))),
    (underWay(2), .rideEnded(ride), settling), (settling, .settled(paid), .receipt(paid: paid)),
    (.receipt(paid: paid), .receiptClosed, .rating(paid: paid)),
    (.rating(paid: paid), .rated, .ended(outcome: .completed(charged: Cents(10)))),
  ]

  /// The states before the ride has ended come first, and can be cancelled; those that have not ended can fail.
  @Test("changes only with the events that apply to it", arguments: states.indices, events)
  func transitions(index: Int, event: OrderState.Event) {
    let state = OrderStateTests.states[index]
    let expected: OrderState? =
      switch event {
      case .cancelled: index < 5 ? .ended(outcome: .cancelled) : nil
      case .failed: index < 8 ? .ended(outcome: .failed(reason: "no")) : nil
      default: OrderStateTests.transitions.first { $0.state == state && $0.event == event }?.next
      }
    #expect(state.next(after: event) == expected)
  }
}
