internal import RIBs

protocol PaymentMethodDependency: Dependency {
  var census: Census { get }
  var narrator: Narrator { get }
  var rider: Rider { get }
}

/// Adds nothing to the dependencies of PaymentMethod.
final class PaymentMethodComponent: Component<any PaymentMethodDependency> {}

protocol PaymentMethodBuildable: Buildable {
  /// - Parameter declined: the means of payment that can't be chosen.
  func build(withListener listener: any PaymentMethodListener, without declined: Set<Payment>)
    -> any PaymentMethodRouting
}

/// Builds the choice of a means of payment.
final class PaymentMethodBuilder: Builder<any PaymentMethodDependency>, PaymentMethodBuildable {
  func build(withListener listener: any PaymentMethodListener, without declined: Set<Payment>)
    -> any PaymentMethodRouting
  {
    let component = PaymentMethodComponent(dependency: dependency)
    let interactor = PaymentMethodInteractor(
      presenter: PaymentMethodPresenter(viewController: component.dependency.narrator),
      rider: component.dependency.rider, declined: declined, census: component.dependency.census)
    interactor.listener = listener
    return PaymentMethodRouter(interactor: interactor)
  }
}
