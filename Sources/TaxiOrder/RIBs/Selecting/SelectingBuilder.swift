internal import RIBs

protocol SelectingDependency: Dependency {
  var census: Census { get }
  var narrator: Narrator { get }
  var rider: Rider { get }
  var quoteService: any QuoteService { get }
  var clock: any Clock<Duration> { get }
}

/// The dependencies of Selecting's children.
final class SelectingComponent: Component<any SelectingDependency>,
  PickupSelectionDependency, DestinationSelectionDependency, FareQuoteDependency, PaymentMethodDependency,
  ConfirmationDependency
{
  var draftStream: any OrderDraftStream { mutableDraftStream }
  var mutableDraftStream: MutableOrderDraftStream { shared { MutableOrderDraftStream() } }

  var census: Census { dependency.census }
  var narrator: Narrator { dependency.narrator }
  var rider: Rider { dependency.rider }
  var quoteService: any QuoteService { dependency.quoteService }
  var clock: any Clock<Duration> { dependency.clock }
}

protocol SelectingBuildable: Buildable {
  func build(withListener listener: any SelectingListener) -> any SelectingRouting
}

/// Builds the choices before an order.
final class SelectingBuilder: Builder<any SelectingDependency>, SelectingBuildable {
  func build(withListener listener: any SelectingListener) -> any SelectingRouting {
    let component = SelectingComponent(dependency: dependency)
    let interactor = SelectingInteractor(draftStream: component.mutableDraftStream, census: component.census)
    interactor.listener = listener
    let router = SelectingRouter(
      interactor: interactor,
      pickupSelectionBuilder: PickupSelectionBuilder(dependency: component),
      destinationSelectionBuilder: DestinationSelectionBuilder(dependency: component),
      fareQuoteBuilder: FareQuoteBuilder(dependency: component),
      paymentMethodBuilder: PaymentMethodBuilder(dependency: component),
      confirmationBuilder: ConfirmationBuilder(dependency: component))
    interactor.router = router
    return router
  }
}
