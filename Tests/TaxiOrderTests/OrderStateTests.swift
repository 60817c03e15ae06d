import Testing

@testable import TaxiOrder

@Suite("The state of an order")
struct OrderStateTests {
  private static let assignment = Assignment(
    driver: Driver(name: "Mara", plate: "T1"), position: Position(east: 0, north: 0), eta: .seconds(60),
    nextPoll: .seconds(30))
  private static let bill = Bill(fare: Cents(1), tip: Cents(2), tolls: Cents(3), surcharge: Cents(4))
  private static let ride = Ride(duration: .seconds(1), distance: Distance(micromiles: 1), bill: bill)
  private static let paid = PaidBill(bill: bill, payment: .cash)
  private static let draft = OrderDraft()

  private static let states: [OrderState] = [
    .selecting, .dispatching(draft, round: 1), .dispatching(draft, round: 2), .underWay(draft, assignment, round: 1),
    .underWay(draft, assignment, round: 2), .settling(ride, .cash), .receipt(paid), .rating(paid),
    .ended(.completed(charged: Cents(10))), .ended(.cancelled), .ended(.failed("…")),
  ]
  private static let events: [OrderState.Event] = [
    .confirmed(draft), .assigned(assignment), .driverCancelled, .rideEnded(ride), .settled(paid), .receiptClosed,
    .rated,
    .cancelled, .failed("no"),
  ]

  /// All transitions, by state and event.
  private static let transitions: [OrderState: [OrderState.Event: OrderState]] = [
    .selecting: [.confirmed(draft): .dispatching(draft, round: 1), .failed("no"): .ended(.failed("no"))],
    .dispatching(draft, round: 1): [
      .assigned(assignment): .underWay(draft, assignment, round: 1), .cancelled: .ended(.cancelled),
      .failed("no"): .ended(.failed("no")),
    ],
    .dispatching(draft, round: 2): [
      .assigned(assignment): .underWay(draft, assignment, round: 2), .cancelled: .ended(.cancelled),
      .failed("no"): .ended(.failed("no")),
    ],
    .underWay(draft, assignment, round: 1): [
      .driverCancelled: .dispatching(draft, round: 2), .rideEnded(ride): .settling(ride, .cash),
      .cancelled: .ended(.cancelled), .failed("no"): .ended(.failed("no")),
    ],
    .underWay(draft, assignment, round: 2): [
      .driverCancelled: .ended(.failed("the drivers have cancelled")), .rideEnded(ride): .settling(ride, .cash),
      .cancelled: .ended(.cancelled), .failed("no"): .ended(.failed("no")),
    ],
    .settling(ride, .cash): [.settled(paid): .receipt(paid), .failed("no"): .ended(.failed("no"))],
    .receipt(paid): [.receiptClosed: .rating(paid), .failed("no"): .ended(.failed("no"))],
    .rating(paid): [.rated: .ended(.completed(charged: Cents(10))), .failed("no"): .ended(.failed("no"))],
  ]

  @Test("changes only with the events that apply to it", arguments: states, events)
  func transitions(state: OrderState, event: OrderState.Event) {
    #expect(state.next(after: event) == OrderStateTests.transitions[state]?[event])
  }
}
