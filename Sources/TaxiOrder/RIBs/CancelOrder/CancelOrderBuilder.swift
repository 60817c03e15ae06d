internal import RIBs

protocol CancelOrderDependency: Dependency {
  var census: Census { get }
  var narrator: Narrator { get }
  var dispatchService: any DispatchService { get }
  var clock: any Clock<Duration> { get }
  /// When the rider will want to cancel, counted from now; nil for never.
  var patience: Duration? { get }
  /// Whether the order can be cancelled as far as it is known here.
  var isCancellable: Observable<Bool> { get }
}

/// CancelOrder adds nothing to what its parent provides.
final class CancelOrderComponent: Component<any CancelOrderDependency> {}

protocol CancelOrderBuildable: Buildable {
  func build(withListener listener: any CancelOrderListener) -> any CancelOrderRouting
}

/// Builds the way out of an order.
final class CancelOrderBuilder: Builder<any CancelOrderDependency>, CancelOrderBuildable {
  func build(withListener listener: any CancelOrderListener) -> any CancelOrderRouting {
    let component = CancelOrderComponent(dependency: dependency)
    let interactor = CancelOrderInteractor(
      presenter: CancelOrderPresenter(viewController: component.dependency.narrator),
      dispatchService: component.dependency.dispatchService, clock: component.dependency.clock,
      isCancellable: component.dependency.isCancellable, patience: component.dependency.patience,
      census: component.dependency.census)
    interactor.listener = listener
    return CancelOrderRouter(interactor: interactor)
  }
}
