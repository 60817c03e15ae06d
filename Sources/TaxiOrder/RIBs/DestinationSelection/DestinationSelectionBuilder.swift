internal import RIBs

protocol DestinationSelectionDependency: Dependency {
  var census: Census { get }
  var narrator: Narrator { get }
  var rider: Rider { get }
}

/// DestinationSelection adds nothing to what its parent provides.
final class DestinationSelectionComponent: Component<any DestinationSelectionDependency> {}

protocol DestinationSelectionBuildable: Buildable {
  func build(withListener listener: any DestinationSelectionListener) -> any DestinationSelectionRouting
}

/// Builds the choice of where to go.
final class DestinationSelectionBuilder: Builder<any DestinationSelectionDependency>, DestinationSelectionBuildable {
  func build(withListener listener: any DestinationSelectionListener) -> any DestinationSelectionRouting {
    let component = DestinationSelectionComponent(dependency: dependency)
    let interactor = DestinationSelectionInteractor(
      presenter: DestinationSelectionPresenter(viewController: component.dependency.narrator),
      rider: component.dependency.rider, census: component.dependency.census)
    interactor.listener = listener
    return DestinationSelectionRouter(interactor: interactor)
  }
}
