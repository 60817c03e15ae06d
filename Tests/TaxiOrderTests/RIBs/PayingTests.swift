// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting
import Testing

@testable import TaxiOrder

@Suite("The RIBs after a ride, each alone", .folded)
final class PayingTests: LoneRIB {
  /// Launches a Settlement by card, and lets a minute pass.
  private func settle(_ answers: PaymentAnswer...) {
    dependencies.service.change { $0.payments = answers }
    launch("Settlement")
    test.advance(by: .seconds(60))
  }

  @Test("Settlement charges the card")
  func card() {
    settle(.paid)
    #expect(dependencies.service.requests == [.payment])
    finish("› To pay: 15.30", "› Paid 15.30 by credit card", "Parent.settlementDidSettle(credit card)")
  }

  @Test("Settlement waits for cash without a request")
  func cash() {
    _ = launch {
      SettlementBuilder(dependency: $0)
        .build(withListener: $1, ride: AppDependencyDouble.ride, payment: .cash, key: RequestKey("key"))
    }
    test.advance(by: .seconds(60))
    #expect(dependencies.service.requests.isEmpty)
    finish("› To pay: 15.30", "15.0 seconds later", "› Paid 15.30 by cash", "Parent.settlementDidSettle(cash)")
  }

  @Test("Settlement has the rider choose another card when one is declined")
  func declined() {
    settle(.declined, .paid)
    test.expectTree("Settlement")
    finish(
      """
      › To pay: 15.30
      › Declined: credit card
      › Payment by another credit card
      › Paid 15.30 by another credit card
      Parent.settlementDidSettle(another credit card)
      """)
  }

  @Test("Settlement charges a declined card again after an hour, while the tree sleeps")
  func repeated() {
    dependencies.remoteRider = RemoteRider()
    settle(.declined, .declined, .paid)
    let hour = OrderTime(.seconds(3_600))
    #expect(dependencies.remoteRider?.status.value == .choosingPayment(declined: [.card], retry: hour))
    #expect(test.tree?.snapshot().wakes == WallTime("2026-01-01T01:00:00Z"))
    test.expectSurvivesRestart()
    test.advance(by: .seconds(3_539))
    #expect(dependencies.service.requests == [.payment])
    test.advance(by: .seconds(1))
    #expect(dependencies.service.requests == [.payment, .payment])
    test.advance(by: .seconds(3_600))
    finish(
      """
      › To pay: 15.30
      › Declined: credit card
      3600.0 seconds later
      › Declined: credit card
      3600.0 seconds later
      › Paid 15.30 by credit card
      Parent.settlementDidSettle(credit card)
      """)
  }

  @Test("Settlement does not charge a declined card again once the rider has chosen another one")
  func chosen() {
    dependencies.remoteRider = RemoteRider()
    settle(.declined, .paid)
    dependencies.remoteRider?.payments.accept(.otherCard)
    test.advance(by: .seconds(7_200))
    #expect(dependencies.service.requests == [.payment, .payment])
    #expect(test.transcript.lines.last == "Parent.settlementDidSettle(another credit card)")
    test.skip()
    test.finish()
  }

  @Test("Receipt shows the bill for a few seconds")
  func receipt() {
    launch("Receipt")
    test.advance(by: .seconds(60))
    finish(
      "› Fare 10.00, tip 2.00, tolls 0.00, surcharge 3.30: 15.30 in all", "5.0 seconds later",
      "Parent.receiptDidClose()")
  }

  @Test("Rating derives the rating from the tip", arguments: [(0, 3), (199, 4), (200, 5), (900, 5)])
  func rating(tip: Int, stars: Int) {
    let bill = Bill(fare: Cents(1000), tip: Cents(tip), tolls: Cents(0), surcharge: Cents(0))
    _ = launch { RatingBuilder(dependency: $0).build(withListener: $1, bill: bill) }
    test.advance(by: .seconds(60))
    finish("3.0 seconds later", "› Rated: \(stars) stars", "Parent.ratingDidRate(\(stars) stars)")
  }

  @Test("History shows past orders, and closes")
  func history() {
    dependencies.history.accept([
      PastOrder(pickup: .zone(name: "Elm Court"), destination: nil, outcome: .cancelled, rating: nil)
    ])
    launch("History")
    test.advance(by: .seconds(60))
    finish("› Elm Court, cancelled", "2.0 seconds later", "Parent.historyDidClose()")
  }
}
