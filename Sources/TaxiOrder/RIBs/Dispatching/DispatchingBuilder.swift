internal import RIBs

protocol DispatchingDependency: Dependency {
  var census: Census { get }
  var narrator: Narrator { get }
  var rider: Rider { get }
  var dispatchService: any DispatchService { get }
  var clock: any Clock<Duration> { get }
}

/// The dependencies of Dispatching's children.
final class DispatchingComponent: Component<any DispatchingDependency>, CancelOrderDependency {
  var census: Census { dependency.census }
  var narrator: Narrator { dependency.narrator }
  var dispatchService: any DispatchService { dependency.dispatchService }
  var clock: any Clock<Duration> { dependency.clock }
  var patience: Duration? { dependency.rider.patience.search }
  /// A search can be cancelled at any time.
  var isCancellable: Observable<Bool> { .just(true) }
}

protocol DispatchingBuildable: Buildable {
  func build(withListener listener: any DispatchingListener, draft: OrderDraft) -> any DispatchingRouting
}

/// Builds the search for a taxi.
final class DispatchingBuilder: Builder<any DispatchingDependency>, DispatchingBuildable {
  func build(withListener listener: any DispatchingListener, draft: OrderDraft) -> any DispatchingRouting {
    let component = DispatchingComponent(dependency: dependency)
    let interactor = DispatchingInteractor(
      presenter: DispatchingPresenter(viewController: component.narrator),
      dispatchService: component.dispatchService, clock: component.clock, draft: draft, census: component.census)
    interactor.listener = listener
    let router = DispatchingRouter(
      interactor: interactor, cancelOrderBuilder: CancelOrderBuilder(dependency: component))
    interactor.router = router
    return router
  }
}
