// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

protocol SelectingInteractable:
  Interactable, PickupSelectionListener, DestinationSelectionListener, FareQuoteListener, PaymentMethodListener,
  ConfirmationListener
{}

/// The choices, in order.
enum SelectingStep: String, Codable, Sendable {
  case pickup, destination, quote, payment, confirmation
}

final class SelectingRouter: Router<any SelectingInteractable>, SelectingRouting {
  private let pickupSelectionBuilder: any PickupSelectionBuildable
  private let destinationSelectionBuilder: any DestinationSelectionBuildable
  private let fareQuoteBuilder: any FareQuoteBuildable
  private let paymentMethodBuilder: any PaymentMethodBuildable
  private let confirmationBuilder: any ConfirmationBuildable
  private let restarts: Restarts

  /// The current choice, restarted if it fails. The choices before it stay.
  private lazy var step = ChildSlot<SelectingStep>(of: self, restarts: restarts) { router, step in router.build(step) }

  init(
    interactor: any SelectingInteractable,
    pickupSelectionBuilder: any PickupSelectionBuildable,
    destinationSelectionBuilder: any DestinationSelectionBuildable,
    fareQuoteBuilder: any FareQuoteBuildable,
    paymentMethodBuilder: any PaymentMethodBuildable,
    confirmationBuilder: any ConfirmationBuildable,
    restarts: Restarts
  ) {
    self.pickupSelectionBuilder = pickupSelectionBuilder
    self.destinationSelectionBuilder = destinationSelectionBuilder
    self.fareQuoteBuilder = fareQuoteBuilder
    self.paymentMethodBuilder = paymentMethodBuilder
    self.confirmationBuilder = confirmationBuilder
    self.restarts = restarts
    super.init(interactor: interactor)
  }

  override var savedChildren: [SavedChildren] { [step.saved(as: "step")] }

  func begin() { step.begin(with: .pickup) }

  func route(to step: SelectingStep) { self.step.route = step }

  func detachStep() { step.route = nil }

  private func build(_ step: SelectingStep) -> any Routing {
    switch step {
    case .pickup: pickupSelectionBuilder.build(withListener: interactor)
    case .destination: destinationSelectionBuilder.build(withListener: interactor)
    case .quote: fareQuoteBuilder.build(withListener: interactor)
    case .payment: paymentMethodBuilder.build(withListener: interactor, without: [])
    case .confirmation: confirmationBuilder.build(withListener: interactor)
    }
  }
}
