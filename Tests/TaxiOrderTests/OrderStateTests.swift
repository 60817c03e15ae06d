import Testing

@testable import TaxiOrder

@Suite("The state of an order")
struct OrderStateTests {
  private static let assignment = Assignment(
    driver: Driver(name: "Mara", plate: "T1"), eta: .seconds(60), nextPoll: .seconds(30))
  private static let bill = Bill(fare: Cents(1), tip: Cents(2), tolls: Cents(3), surcharge: Cents(4))
  private static let ride = Ride(duration: .seconds(1), distance: Distance(micromiles: 1), bill: bill)
  private static let paid = PaidBill(bill: bill, payment: .cash)

  private static let states: [OrderState] = [
    .selecting, .dispatching(OrderDraft()), .underWay(OrderDraft(), assignment), .settling(ride, .cash), .receipt(paid),
    .ended(.completed(charged: Cents(10))), .ended(.failed("…")),
  ]
  private static let events: [OrderState.Event] = [
    .confirmed(OrderDraft()), .assigned(assignment), .rideEnded(ride), .settled(paid), .receiptClosed,
  ]

  @Test("moves on with the one event that belongs to it, and with no other", arguments: states, events)
  func transitions(state: OrderState, event: OrderState.Event) {
    let expected: OrderState? =
      switch (OrderStateTests.states.firstIndex(of: state), OrderStateTests.events.firstIndex(of: event)) {
      case (let state?, let event?) where state == event: OrderStateTests.states[state + 1]
      default: nil
      }
    #expect(state.next(after: event) == expected)
  }

  @Test("ends with a failure at any time, but not twice", arguments: states)
  func failure(state: OrderState) {
    if case .ended = state {
      #expect(state.next(after: .failed("no")) == nil)
    } else {
      #expect(state.next(after: .failed("no")) == .ended(.failed("no")))
    }
  }
}
