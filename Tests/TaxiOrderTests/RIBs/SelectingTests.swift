// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting
import Testing

@testable import TaxiOrder

@Suite("The RIBs in which a rider chooses, each alone", .folded)
final class SelectingTests: LoneRIB {
  @Test(
    "PickupSelection and DestinationSelection select the rider's zones; without one, the position, and no destination",
    arguments: [
      ("PickupSelection", "Elm Court", "› Pickup at Elm Court\nParent.pickupSelectionDidSelect(Elm Court)"),
      (
        "PickupSelection", nil,
        "› Pickup at the rider's position\nParent.pickupSelectionDidSelect(the rider's position)"
      ),
      ("DestinationSelection", "Mill Pond", "› To Mill Pond\nParent.destinationSelectionDidSelect(Mill Pond)"),
      (
        "DestinationSelection", nil,
        "› No destination: the rider tells the driver on the way\nParent.destinationSelectionDidSelect(nil)"
      ),
    ])
  func places(name: String, zone: String?, lines: String) {
    (dependencies.rider.pickupZone, dependencies.rider.dropoffZone) = (zone, zone)
    launch(name)
    finish(lines)
  }

  @Test("FareQuote requests one quote, and accepts it")
  func quote() {
    launch("FareQuote")
    test.settle()
    dependencies.draft.update { $0.payment = .card }
    test.settle()
    #expect(dependencies.service.requests == [.quote])
    finish("› Fare: 10.00", "Parent.fareQuoteDidAccept(10.00)")
  }

  @Test(
    "PaymentMethod selects the preferred means of payment, or the first, that is switched on and was not declined",
    arguments: [
      ([], [.card], .card, "another credit card"), ([], [.card, .otherCard], .card, nil),
      ([], [], .card, "credit card"), ([.card], [], .card, "another credit card"),
      ([.card, .otherCard], [], .card, nil), ([.card, .otherCard], [], .cash, "cash"), ([.cash], [], .cash, nil),
    ] as [(Set<PaymentFeature>, Set<Payment>, Payment, String?)])
  func payment(disabled: Set<PaymentFeature>, declined: Set<Payment>, preference: Payment, expected: String?) {
    dependencies.rider = Rider(pickupZone: nil, dropoffZone: nil, payment: preference)
    dependencies.paymentPoint = PaymentPoint(without: disabled)
    _ = launch { PaymentMethodBuilder(dependency: $0).build(withListener: $1, without: declined) }
    finish(
      expected.map { "› Payment by \($0)\nParent.paymentMethodDidSelect(\($0))" }
        ?? "Parent.paymentMethodDidRunOut()")
  }

  @Test("Confirmation shows the order, and confirms it")
  func confirmation() {
    dependencies.draft.update { $0.destination = .zone(name: "Mill Pond") }
    launch("Confirmation")
    test.advance(by: .seconds(20))
    finish(
      """
      › Confirmed: the rider's position to Mill Pond, by cash
      12.5 seconds later
      Parent.confirmationDidConfirm()
      """)
  }

  @Test("Selecting goes from one choice to the next, and reports the choices")
  func selecting() {
    launch("Selecting")
    test.settle()
    test.expectTree("Selecting\n  Confirmation")
    test.skip()
    test.advance(by: .seconds(20))
    finish("12.5 seconds later", "Parent.selectingDidConfirm(Elm Court)")
  }

  @Test("Selecting has FareQuote restarted, and keeps the choices before it")
  func restartedQuote() {
    restart(upTo: 2)
    dependencies.service.change { $0.failure = ServiceUnavailable() }
    launch("Selecting")
    test.advance(by: .seconds(1))
    dependencies.service.change { $0.failure = nil }
    test.advance(by: .seconds(4))
    finish(
      """
      › Pickup at Elm Court
      › To Mill Pond
      Selecting/FareQuote failed: the service is unavailable
      5.0 seconds later
      Selecting/FareQuote restarted 1 of 2
      › Fare: 10.00
      › Payment by credit card
      › Confirmed: Elm Court to Mill Pond, by credit card
      """)
  }
}
