// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting
import Testing

@testable import TaxiOrder

@Suite("The RIBs in which a rider chooses, each alone", .folded)
struct SelectingTests {
  private let test = TestTree(recording: [.calls, .time])
  private let dependencies: AppDependencyDouble
  private let parent: Parent

  init() {
    dependencies = AppDependencyDouble(test)
    parent = Parent(in: test.transcript)
  }

  @Test("PickupSelection selects the rider's zone, or the rider's position", arguments: ["Elm Court", nil])
  func pickup(zone: String?) {
    dependencies.rider.pickupZone = zone
    test.launch(building: { PickupSelectionBuilder(dependency: dependencies).build(withListener: parent) })
    let place = zone ?? "the rider's position"
    test.expect("› Pickup at \(place)\nParent.pickupSelectionDidSelect(\(place))")
    test.expectSurvivesRestart()
    test.finish()
  }

  @Test("DestinationSelection selects the rider's zone, or skips")
  func destination() {
    test.launch(building: { DestinationSelectionBuilder(dependency: dependencies).build(withListener: parent) })
    test.expect("› To Mill Pond\nParent.destinationSelectionDidSelect(Mill Pond)")
    test.expectSurvivesRestart()
    test.finish()
  }

  @Test("DestinationSelection skips if the rider has no destination")
  func noDestination() {
    dependencies.rider.dropoffZone = nil
    test.launch(building: { DestinationSelectionBuilder(dependency: dependencies).build(withListener: parent) })
    test.expect(
      "› No destination: the rider tells the driver on the way\nParent.destinationSelectionDidSelect(nil)")
    test.expectSurvivesRestart()
    test.finish()
  }

  @Test("FareQuote requests one quote, and accepts it")
  func quote() {
    test.launch(building: { FareQuoteBuilder(dependency: dependencies).build(withListener: parent) })
    test.settle()
    dependencies.draft.update { $0.payment = .card }
    test.settle()
    #expect(dependencies.service.requests == [.quote])
    test.expect("› Fare: 10.00\nParent.fareQuoteDidAccept(10.00)")
    test.expectSurvivesRestart()
    test.finish()
  }

  @Test("PaymentMethod selects the preferred means of payment that was not declined")
  func payment() {
    let builder = PaymentMethodBuilder(dependency: dependencies)
    test.launch(building: { builder.build(withListener: parent, without: [.card]) })
    test.expect("› Payment by another credit card\nParent.paymentMethodDidSelect(another credit card)")
    test.expectSurvivesRestart()
    test.finish()
  }

  @Test(
    "PaymentMethod selects the first means of payment whose plugin is switched on",
    arguments: [
      (Set<PaymentFeature>([]), Payment.card, "credit card"), ([.card], .card, "another credit card"),
      ([.card, .otherCard], .card, nil), ([.card, .otherCard], .cash, "cash"), ([.cash], .cash, nil),
    ] as [(Set<PaymentFeature>, Payment, String?)])
  func switchedOff(disabled: Set<PaymentFeature>, preference: Payment, expected: String?) {
    dependencies.rider = Rider(pickupZone: nil, dropoffZone: nil, payment: preference)
    dependencies.paymentPoint = PaymentPoint(without: disabled)
    let builder = PaymentMethodBuilder(dependency: dependencies)
    test.launch(building: { builder.build(withListener: parent, without: []) })
    test.expect(
      expected.map { "› Payment by \($0)\nParent.paymentMethodDidSelect(\($0))" }
        ?? "Parent.paymentMethodDidRunOut()")
    test.finish()
  }

  @Test("PaymentMethod reports that all means of payment were declined")
  func noPayment() {
    let builder = PaymentMethodBuilder(dependency: dependencies)
    test.launch(building: { builder.build(withListener: parent, without: [.card, .otherCard]) })
    test.expect("Parent.paymentMethodDidRunOut()")
    test.expectSurvivesRestart()
    test.finish()
  }

  @Test("Confirmation shows the order, and confirms it")
  func confirmation() {
    dependencies.draft.update { $0.destination = .zone(name: "Mill Pond") }
    test.launch(building: { ConfirmationBuilder(dependency: dependencies).build(withListener: parent) })
    test.advance(by: .seconds(20))
    test.expect(
      """
      › Confirmed: the rider's position to Mill Pond, by cash
      12.5 seconds later
      Parent.confirmationDidConfirm()
      """)
    test.expectSurvivesRestart()
    test.finish()
  }

  @Test("Selecting goes from one choice to the next, and reports the choices")
  func selecting() {
    test.launch(building: { SelectingBuilder(dependency: dependencies).build(withListener: parent) })
    test.settle()
    test.expectTree(
      """
      Selecting
        Confirmation
      """)
    test.skip()
    test.advance(by: .seconds(20))
    test.expect("12.5 seconds later\nParent.selectingDidConfirm(Elm Court)")
    test.expectSurvivesRestart()
    test.finish()
  }

  @Test("Selecting has FareQuote restarted, and keeps the choices before it")
  func restartedQuote() {
    let test = TestTree(recording: [.calls, .failures, .time])
    let dependencies = AppDependencyDouble(test)
    dependencies.restarts = .upTo(2, within: .seconds(60), after: .exponential(from: .seconds(5), jitter: 0))
    dependencies.service.change { $0.failure = ServiceUnavailable() }
    let parent = Parent(in: test.transcript)
    test.launch(building: { SelectingBuilder(dependency: dependencies).build(withListener: parent) })
    test.advance(by: .seconds(1))
    dependencies.service.change { $0.failure = nil }
    test.advance(by: .seconds(4))
    test.expect(
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
    test.expectSurvivesRestart()
    test.finish()
  }

  @Test("Selecting fails when there is no quote")
  func selectingFails() {
    dependencies.service.change { $0.failure = ServiceUnavailable() }
    test.launch(building: { SelectingBuilder(dependency: dependencies).build(withListener: parent) })
    test.settle()
    #expect(test.transcript.lines.last == "Parent.selectingDidFail(\"the service is unavailable\")")
    test.skip()
    test.expectSurvivesRestart()
    test.finish()
  }
}
