internal import RIBs

protocol ConfirmationDependency: Dependency {
  var census: Census { get }
  var narrator: Narrator { get }
  var draftStream: any OrderDraftStream { get }
  var clock: any Clock<Duration> { get }
}

/// Adds nothing to the dependencies of Confirmation.
final class ConfirmationComponent: Component<any ConfirmationDependency> {}

protocol ConfirmationBuildable: Buildable {
  func build(withListener listener: any ConfirmationListener) -> any ConfirmationRouting
}

/// Builds the confirmation of an order before it is placed.
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
