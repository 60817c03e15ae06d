internal import RIBs

protocol SelectingInteractable:
  Interactable, PickupSelectionListener, DestinationSelectionListener, FareQuoteListener, PaymentMethodListener,
  ConfirmationListener
{
  var router: (any SelectingRouting)? { get set }
  var listener: (any SelectingListener)? { get set }
}

final class SelectingRouter: Router<any SelectingInteractable>, SelectingRouting {
  private let pickupSelectionBuilder: any PickupSelectionBuildable
  private let destinationSelectionBuilder: any DestinationSelectionBuildable
  private let fareQuoteBuilder: any FareQuoteBuildable
  private let paymentMethodBuilder: any PaymentMethodBuildable
  private let confirmationBuilder: any ConfirmationBuildable
  /// The choice that is being made.
  private var step: (any Routing)?

  init(
    interactor: any SelectingInteractable,
    pickupSelectionBuilder: any PickupSelectionBuildable,
    destinationSelectionBuilder: any DestinationSelectionBuildable,
    fareQuoteBuilder: any FareQuoteBuildable,
    paymentMethodBuilder: any PaymentMethodBuildable,
    confirmationBuilder: any ConfirmationBuildable
  ) {
    self.pickupSelectionBuilder = pickupSelectionBuilder
    self.destinationSelectionBuilder = destinationSelectionBuilder
    self.fareQuoteBuilder = fareQuoteBuilder
    self.paymentMethodBuilder = paymentMethodBuilder
    self.confirmationBuilder = confirmationBuilder
    super.init(interactor: interactor)
  }

  func routeToPickupSelection() {
    show(pickupSelectionBuilder.build(withListener: interactor))
  }

  func routeToDestinationSelection() {
    show(destinationSelectionBuilder.build(withListener: interactor))
  }

  func routeToFareQuote() {
    show(fareQuoteBuilder.build(withListener: interactor))
  }

  func routeToPaymentMethod() {
    show(paymentMethodBuilder.build(withListener: interactor, without: []))
  }

  func routeToConfirmation() {
    show(confirmationBuilder.build(withListener: interactor))
  }

  private func detachStep() {
    guard let step else { return }
    self.step = nil
    detachChild(step)
  }

  /// Attaches a step in place of the one before.
  private func show(_ step: any Routing) {
    detachStep()
    self.step = step
    attachChild(step)
  }
}
