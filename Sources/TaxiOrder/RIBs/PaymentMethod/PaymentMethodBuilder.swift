internal import RIBs

protocol PaymentMethodDependency: Dependency {
  var census: Census { get }
  var narrator: Narrator { get }
  var rider: Rider { get }
}

/// PaymentMethod adds nothing to what its parent provides.
final class PaymentMethodComponent: Component<any PaymentMethodDependency> {}

protocol PaymentMethodBuildable: Buildable {
  /// - Parameter declined: what can't be chosen any more.
  func build(withListener listener: any PaymentMethodListener, without declined: Set<Payment>)
    -> any PaymentMethodRouting
}

/// Builds the choice of how to pay.
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
