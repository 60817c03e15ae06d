internal import RIBs

protocol ReceiptDependency: Dependency {
  var census: Census { get }
  var narrator: Narrator { get }
  var clock: any Clock<Duration> { get }
}

/// Adds nothing to the dependencies of Receipt.
final class ReceiptComponent: Component<any ReceiptDependency> {}

protocol ReceiptBuildable: Buildable {
  func build(withListener listener: any ReceiptListener, paid: PaidBill) -> any ReceiptRouting
}

/// Builds the receipt of a ride.
final class ReceiptBuilder: Builder<any ReceiptDependency>, ReceiptBuildable {
  func build(withListener listener: any ReceiptListener, paid: PaidBill) -> any ReceiptRouting {
    let component = ReceiptComponent(dependency: dependency)
    let interactor = ReceiptInteractor(
      presenter: ReceiptPresenter(viewController: component.dependency.narrator), clock: component.dependency.clock,
      paid: paid, census: component.dependency.census)
    interactor.listener = listener
    return ReceiptRouter(interactor: interactor)
  }
}
