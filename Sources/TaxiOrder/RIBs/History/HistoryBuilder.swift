internal import RIBs

protocol HistoryDependency: Dependency {
  var census: Census { get }
  var narrator: Narrator { get }
  var orderHistoryStream: any OrderHistoryStream { get }
  var clock: any Clock<Duration> { get }
}

/// Adds nothing to the dependencies of History.
final class HistoryComponent: Component<any HistoryDependency> {}

protocol HistoryBuildable: Buildable {
  func build(withListener listener: any HistoryListener) -> any HistoryRouting
}

/// Builds the list of past orders.
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
