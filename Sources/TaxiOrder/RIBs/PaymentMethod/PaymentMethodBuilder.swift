internal import RIBs

protocol PaymentMethodDependency: Dependency {
  var census: Census { get }
  var narrator: Narrator { get }
  var rider: Rider { get }
}

/// PaymentMethod adds nothing to what its parent provides.
final class PaymentMethodComponent: Component<any PaymentMethodDependency> {}

protocol PaymentMethodBuildable: Buildable {
  func build(withListener listener: any PaymentMethodListener) -> any PaymentMethodRouting
}

/// Builds the choice of how to pay.
final class PaymentMethodBuilder: Builder<any PaymentMethodDependency>, PaymentMethodBuildable {
  func build(withListener listener: any PaymentMethodListener) -> any PaymentMethodRouting {
    let component = PaymentMethodComponent(dependency: dependency)
    let interactor = PaymentMethodInteractor(
      presenter: PaymentMethodPresenter(viewController: component.dependency.narrator),
      rider: component.dependency.rider, census: component.dependency.census)
    interactor.listener = listener
    return PaymentMethodRouter(interactor: interactor)
  }
}
