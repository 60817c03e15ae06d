internal import RIBs

protocol DestinationSelectionDependency: Dependency {
  var census: Census { get }
  var narrator: Narrator { get }
  var rider: Rider { get }
}

/// Adds nothing to the dependencies of DestinationSelection.
final class DestinationSelectionComponent: Component<any DestinationSelectionDependency> {}

protocol DestinationSelectionBuildable: Buildable {
  func build(withListener listener: any DestinationSelectionListener) -> any DestinationSelectionRouting
}

/// Builds the choice of a destination.
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
