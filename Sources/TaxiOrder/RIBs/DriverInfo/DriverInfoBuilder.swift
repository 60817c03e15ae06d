internal import RIBs

protocol DriverInfoDependency: Dependency {
  var census: Census { get }
  var narrator: Narrator { get }
  var taxiStateStream: any TaxiStateStream { get }
}

/// What DriverInfo provides to its children: it has none.
final class DriverInfoComponent: Component<any DriverInfoDependency> {}

protocol DriverInfoBuildable: Buildable {
  func build() -> any DriverInfoRouting
}

/// Builds the display of the driver.
final class DriverInfoBuilder: Builder<any DriverInfoDependency>, DriverInfoBuildable {
  func build() -> any DriverInfoRouting {
    let interactor = DriverInfoInteractor(
      presenter: DriverInfoPresenter(viewController: dependency.narrator),
      taxiStateStream: dependency.taxiStateStream, census: dependency.census)
    return DriverInfoRouter(interactor: interactor)
  }
}
