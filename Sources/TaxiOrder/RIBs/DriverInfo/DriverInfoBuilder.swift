internal import RIBs

protocol DriverInfoDependency: Dependency {
  var census: Census { get }
  var narrator: Narrator { get }
  var taxiStateStream: any TaxiStateStream { get }
}

/// Adds nothing to the dependencies of DriverInfo.
final class DriverInfoComponent: Component<any DriverInfoDependency> {}

protocol DriverInfoBuildable: Buildable {
  func build() -> any DriverInfoRouting
}

/// Builds the display of the driver.
final class DriverInfoBuilder: Builder<any DriverInfoDependency>, DriverInfoBuildable {
  func build() -> any DriverInfoRouting {
    let component = DriverInfoComponent(dependency: dependency)
    let interactor = DriverInfoInteractor(
      presenter: DriverInfoPresenter(viewController: component.dependency.narrator),
      taxiStateStream: component.dependency.taxiStateStream, census: component.dependency.census)
    return DriverInfoRouter(interactor: interactor)
  }
}
