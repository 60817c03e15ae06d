// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBsTesting

@testable import TaxiOrder

/// A test double for the parent of any RIB. Records its listener calls.
final class Parent: ListenerDouble, PickupSelectionListener, DestinationSelectionListener, FareQuoteListener,
  PaymentMethodListener, ConfirmationListener, SelectingListener, DispatchingListener, CancelOrderListener,
  OrderResultDetailListener, VehicleDynamicsListener, SettlementListener, ReceiptListener, RatingListener,
  OrderListener,
  HistoryListener, LoggedInListener, LoggedOutListener
{
  func pickupSelectionDidSelect(_ place: Place) { record(place) }
  func destinationSelectionDidSelect(_ place: Place?) { record(place) }
  func fareQuoteDidAccept(_ quote: Quote) { record(quote) }
  func paymentMethodDidSelect(_ payment: Payment) { record(payment) }
  func paymentMethodDidRunOut() { record() }
  func confirmationDidConfirm() { record() }
  func selectingDidConfirm(_ draft: OrderDraft) { record(draft.pickup) }
  func selectingDidCancel() { record() }
  func selectingDidFail(_ reason: String) { record(reason) }
  func dispatchingDidAssign(_ assignment: Assignment) { record(assignment.driver) }
  func dispatchingDidCancel() { record() }
  func dispatchingDidFail(_ reason: String) { record(reason) }
  func cancelOrderDidCancel() { record() }
  func orderResultDetailDidEnd(_ ride: Ride) { record(ride.distance) }
  func orderResultDetailDidCancel() { record() }
  func orderResultDetailDidLoseDriver() { record() }
  func orderResultDetailDidFail(_ reason: String) { record(reason) }
  func vehicleDynamicsDidLocate(_ movement: Movement?) { record(movement?.distance) }
  func settlementDidSettle(_ paid: PaidBill) { record(paid.payment) }
  func settlementDidFail(_ reason: String) { record(reason) }
  func receiptDidClose() { record() }
  func ratingDidRate(_ rating: Rating) { record(rating) }
  func orderDidConfirm() { record() }
  func orderDidEnd(_ order: PastOrder) { record(order) }
  func historyDidClose() { record() }
  func loggedInDidFinish(_ outcome: OrderOutcome) { record(OrderState.ended(outcome: outcome).name) }
  func loggedOutDidLogIn() { record() }
}
