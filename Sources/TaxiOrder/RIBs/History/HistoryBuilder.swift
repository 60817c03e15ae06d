internal import RIBs

protocol HistoryDependency: Dependency {
  var census: Census { get }
  var narrator: Narrator { get }
  var orderHistoryStream: any OrderHistoryStream { get }
  var clock: any Clock<Duration> { get }
}

/// History adds nothing to what its parent provides.
final class HistoryComponent: Component<any HistoryDependency> {}

protocol HistoryBuildable: Buildable {
  func build(withListener listener: any HistoryListener) -> any HistoryRouting
}

/// Builds the list of orders that have ended.
final class HistoryBuilder: Builder<any HistoryDependency>, HistoryBuildable {
  func build(withListener listener: any HistoryListener) -> any HistoryRouting {
    let component = HistoryComponent(dependency: dependency)
    let interactor = HistoryInteractor(
      presenter: HistoryPresenter(viewController: component.dependency.narrator),
      orderHistoryStream: component.dependency.orderHistoryStream, clock: component.dependency.clock,
      census: component.dependency.census)
    interactor.listener = listener
    return HistoryRouter(interactor: interactor)
  }
}
