// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting
import Testing

@testable import TaxiOrder

@Suite("The RIBs after a ride, each alone", .folded)
struct PayingTests {
  private let test = TestTree(recording: [.calls, .time])
  private let dependencies: AppDependencyDouble
  private let parent: Parent

  init() {
    dependencies = AppDependencyDouble(test)
    parent = Parent(in: test.transcript)
  }

  private func settle(with payment: Payment) {
    let builder = SettlementBuilder(dependency: dependencies)
    test.launch(building: {
      builder.build(
        withListener: parent, ride: AppDependencyDouble.ride, payment: payment, key: RequestKey("key"))
    })
    test.advance(by: .seconds(60))
  }

  @Test("Settlement charges the card")
  func card() {
    settle(with: .card)
    #expect(dependencies.service.requests == [.payment])
    test.expect(
      "› To pay: 15.30\n› Paid 15.30 by credit card\nParent.settlementDidSettle(credit card)")
    test.expectSurvivesRestart()
    test.finish()
  }

  @Test("Settlement waits for cash without a request")
  func cash() {
    settle(with: .cash)
    #expect(dependencies.service.requests.isEmpty)
    test.expect(
      """
      › To pay: 15.30
      15.0 seconds later
      › Paid 15.30 by cash
      Parent.settlementDidSettle(cash)
      """)
    test.expectSurvivesRestart()
    test.finish()
  }

  @Test("Settlement has the rider choose another card when one is declined")
  func declined() {
    dependencies.service.change { $0.payments = [.declined, .paid] }
    settle(with: .card)
    test.expectTree("Settlement")
    test.expect(
      """
      › To pay: 15.30
      › Declined: credit card
      › Payment by another credit card
      › Paid 15.30 by another credit card
      Parent.settlementDidSettle(another credit card)
      """)
    test.expectSurvivesRestart()
    test.finish()
  }

  @Test("Settlement charges a declined card again after an hour, while the tree sleeps")
  func repeated() {
    dependencies.remoteRider = RemoteRider()
    dependencies.service.change { $0.payments = [.declined, .declined, .paid] }
    settle(with: .card)
    let hour = OrderTime(.seconds(3_600))
    #expect(dependencies.remoteRider?.status.value == .choosingPayment(declined: [.card], retry: hour))
    #expect(test.tree?.snapshot().wakes == WallTime("2026-01-01T01:00:00Z"))
    test.expectSurvivesRestart()
    test.advance(by: .seconds(3_539))
    #expect(dependencies.service.requests == [.payment])
    test.advance(by: .seconds(1))
    #expect(dependencies.service.requests == [.payment, .payment])
    test.advance(by: .seconds(3_600))
    test.expect(
      """
      › To pay: 15.30
      › Declined: credit card
      3600.0 seconds later
      › Declined: credit card
      3600.0 seconds later
      › Paid 15.30 by credit card
      Parent.settlementDidSettle(credit card)
      """)
    test.expectSurvivesRestart()
    test.finish()
  }

  @Test("Settlement does not charge a declined card again once the rider has chosen another one")
  func chosen() {
    dependencies.remoteRider = RemoteRider()
    dependencies.service.change { $0.payments = [.declined, .paid] }
    settle(with: .card)
    dependencies.remoteRider?.payments.accept(.otherCard)
    test.advance(by: .seconds(7_200))
    #expect(dependencies.service.requests == [.payment, .payment])
    #expect(test.transcript.lines.last == "Parent.settlementDidSettle(another credit card)")
    test.skip()
    test.finish()
  }

  @Test("Settlement fails when all cards are declined")
  func allDeclined() {
    dependencies.service.change { $0.payments = [.declined] }
    settle(with: .card)
    #expect(test.transcript.lines.last == "Parent.settlementDidFail(\"all cards were declined\")")
    test.skip()
    test.expectSurvivesRestart()
    test.finish()
  }

  @Test("Receipt shows the bill for a few seconds")
  func receipt() {
    let paid = PaidBill(bill: AppDependencyDouble.bill, payment: .card)
    test.launch(building: { ReceiptBuilder(dependency: dependencies).build(withListener: parent, paid: paid) })
    test.advance(by: .seconds(60))
    test.expect(
      """
      › Fare 10.00, tip 2.00, tolls 0.00, surcharge 3.30: 15.30 in all
      5.0 seconds later
      Parent.receiptDidClose()
      """)
    test.expectSurvivesRestart()
    test.finish()
  }

  @Test("Rating derives the rating from the tip", arguments: [(0, 3), (199, 4), (200, 5), (900, 5)])
  func rating(tip: Int, stars: Int) {
    let bill = Bill(fare: Cents(1000), tip: Cents(tip), tolls: Cents(0), surcharge: Cents(0))
    test.launch(building: { RatingBuilder(dependency: dependencies).build(withListener: parent, bill: bill) })
    test.advance(by: .seconds(60))
    test.expect(
      "3.0 seconds later\n› Rated: \(stars) stars\nParent.ratingDidRate(\(stars) stars)")
    test.expectSurvivesRestart()
    test.finish()
  }

  @Test("History shows past orders, and closes")
  func history() {
    let order = PastOrder(pickup: .zone(name: "Elm Court"), destination: nil, outcome: .cancelled, rating: nil)
    dependencies.history.accept([order])
    test.launch(building: { HistoryBuilder(dependency: dependencies).build(withListener: parent) })
    test.advance(by: .seconds(60))
    test.expect("› Elm Court, cancelled\n2.0 seconds later\nParent.historyDidClose()")
    test.expectSurvivesRestart()
    test.finish()
  }
}
