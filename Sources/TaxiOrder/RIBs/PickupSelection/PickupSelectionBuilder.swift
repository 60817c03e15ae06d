internal import RIBs

protocol PickupSelectionDependency: Dependency {
  var census: Census { get }
  var narrator: Narrator { get }
  var rider: Rider { get }
}

/// Adds nothing to the dependencies of PickupSelection.
final class PickupSelectionComponent: Component<any PickupSelectionDependency> {}

protocol PickupSelectionBuildable: Buildable {
  func build(withListener listener: any PickupSelectionListener) -> any PickupSelectionRouting
}

/// Builds the choice of a pickup.
final class PickupSelectionBuilder: Builder<any PickupSelectionDependency>, PickupSelectionBuildable {
  func build(withListener listener: any PickupSelectionListener) -> any PickupSelectionRouting {
    let component = PickupSelectionComponent(dependency: dependency)
    let interactor = PickupSelectionInteractor(
      presenter: PickupSelectionPresenter(viewController: component.dependency.narrator),
      rider: component.dependency.rider, census: component.dependency.census)
    interactor.listener = listener
    return PickupSelectionRouter(interactor: interactor)
  }
}
