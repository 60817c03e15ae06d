internal import RIBs

protocol CancelOrderDependency: Dependency {
  var census: Census { get }
  var narrator: Narrator { get }
  var dispatchService: any DispatchService { get }
  var clock: any Clock<Duration> { get }
  /// When the rider cancels, relative to activation; nil for never.
  var patience: Duration? { get }
  /// Whether the order can be cancelled, as far as the app knows.
  var isCancellable: Observable<Bool> { get }
}

/// Adds nothing to the dependencies of CancelOrder.
final class CancelOrderComponent: Component<any CancelOrderDependency> {}

protocol CancelOrderBuildable: Buildable {
  func build(withListener listener: any CancelOrderListener) -> any CancelOrderRouting
}

/// Builds the cancellation of an order.
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
