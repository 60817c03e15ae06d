internal import RIBs

protocol RideMeterDependency: Dependency {
  var census: Census { get }
  var narrator: Narrator { get }
  var taxiStateStream: any TaxiStateStream { get }
}

/// Adds nothing to the dependencies of RideMeter.
final class RideMeterComponent: Component<any RideMeterDependency> {}

protocol RideMeterBuildable: Buildable {
  func build() -> any RideMeterRouting
}

/// Builds the meter of the taxi.
final class RideMeterBuilder: Builder<any RideMeterDependency>, RideMeterBuildable {
  func build() -> any RideMeterRouting {
    let component = RideMeterComponent(dependency: dependency)
    let interactor = RideMeterInteractor(
      presenter: RideMeterPresenter(viewController: component.dependency.narrator),
      taxiStateStream: component.dependency.taxiStateStream, census: component.dependency.census)
    return RideMeterRouter(interactor: interactor)
  }
}
