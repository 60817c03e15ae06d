internal import RIBs

protocol SettlementDependency: Dependency {
  var census: Census { get }
  var narrator: Narrator { get }
  var paymentService: any PaymentService { get }
  var clock: any Clock<Duration> { get }
}

/// Settlement adds nothing to what its parent provides.
final class SettlementComponent: Component<any SettlementDependency> {}

protocol SettlementBuildable: Buildable {
  func build(withListener listener: any SettlementListener, ride: Ride, payment: Payment) -> any SettlementRouting
}

/// Builds the payment of a ride.
final class SettlementBuilder: Builder<any SettlementDependency>, SettlementBuildable {
  func build(withListener listener: any SettlementListener, ride: Ride, payment: Payment) -> any SettlementRouting {
    let component = SettlementComponent(dependency: dependency)
    let interactor = SettlementInteractor(
      presenter: SettlementPresenter(viewController: component.dependency.narrator),
      paymentService: component.dependency.paymentService, clock: component.dependency.clock, ride: ride,
      payment: payment, census: component.dependency.census)
    interactor.listener = listener
    return SettlementRouter(interactor: interactor)
  }
}
