internal import RIBs

protocol ConfirmationDependency: Dependency {
  var census: Census { get }
  var narrator: Narrator { get }
  var draftStream: any OrderDraftStream { get }
  var clock: any Clock<Duration> { get }
}

/// Confirmation adds nothing to what its parent provides.
final class ConfirmationComponent: Component<any ConfirmationDependency> {}

protocol ConfirmationBuildable: Buildable {
  func build(withListener listener: any ConfirmationListener) -> any ConfirmationRouting
}

/// Builds the last look at an order before it is placed.
final class ConfirmationBuilder: Builder<any ConfirmationDependency>, ConfirmationBuildable {
  func build(withListener listener: any ConfirmationListener) -> any ConfirmationRouting {
    let component = ConfirmationComponent(dependency: dependency)
    let interactor = ConfirmationInteractor(
      presenter: ConfirmationPresenter(viewController: component.dependency.narrator),
      draftStream: component.dependency.draftStream, clock: component.dependency.clock,
      census: component.dependency.census)
    interactor.listener = listener
    return ConfirmationRouter(interactor: interactor)
  }
}
