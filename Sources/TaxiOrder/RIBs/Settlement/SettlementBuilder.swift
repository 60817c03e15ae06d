internal import RIBs

protocol SettlementDependency: Dependency {
  var census: Census { get }
  var narrator: Narrator { get }
  var rider: Rider { get }
  var paymentService: any PaymentService { get }
  var clock: any Clock<Duration> { get }
}

/// The dependencies of Settlement's children.
final class SettlementComponent: Component<any SettlementDependency>, PaymentMethodDependency {
  var census: Census { dependency.census }
  var narrator: Narrator { dependency.narrator }
  var rider: Rider { dependency.rider }
}

protocol SettlementBuildable: Buildable {
  func build(withListener listener: any SettlementListener, ride: Ride, payment: Payment) -> any SettlementRouting
}

/// Builds the payment of a ride.
final class SettlementBuilder: Builder<any SettlementDependency>, SettlementBuildable {
  func build(withListener listener: any SettlementListener, ride: Ride, payment: Payment) -> any SettlementRouting {
    let component = SettlementComponent(dependency: dependency)
    let interactor = SettlementInteractor(
      presenter: SettlementPresenter(viewController: component.narrator),
      paymentService: component.dependency.paymentService, clock: component.dependency.clock, ride: ride,
      payment: payment, census: component.census)
    interactor.listener = listener
    let router = SettlementRouter(
      interactor: interactor, paymentMethodBuilder: PaymentMethodBuilder(dependency: component))
    interactor.router = router
    return router
  }
}
