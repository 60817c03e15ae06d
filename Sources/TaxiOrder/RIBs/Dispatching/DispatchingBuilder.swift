internal import RIBs

protocol DispatchingDependency: Dependency {
  var census: Census { get }
  var narrator: Narrator { get }
  var dispatchService: any DispatchService { get }
}

/// Dispatching adds nothing to what its parent provides.
final class DispatchingComponent: Component<any DispatchingDependency> {}

protocol DispatchingBuildable: Buildable {
  func build(withListener listener: any DispatchingListener, draft: OrderDraft) -> any DispatchingRouting
}

/// Builds the search for a taxi.
final class DispatchingBuilder: Builder<any DispatchingDependency>, DispatchingBuildable {
  func build(withListener listener: any DispatchingListener, draft: OrderDraft) -> any DispatchingRouting {
    let component = DispatchingComponent(dependency: dependency)
    let interactor = DispatchingInteractor(
      presenter: DispatchingPresenter(viewController: component.dependency.narrator),
      dispatchService: component.dependency.dispatchService, draft: draft, census: component.dependency.census)
    interactor.listener = listener
    return DispatchingRouter(interactor: interactor)
  }
}
