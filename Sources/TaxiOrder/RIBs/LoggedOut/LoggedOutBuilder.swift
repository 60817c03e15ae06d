internal import RIBs

protocol LoggedOutDependency: Dependency {
  var census: Census { get }
  var narrator: Narrator { get }
  var clock: any Clock<Duration> { get }
}

/// Adds nothing to the dependencies of LoggedOut.
final class LoggedOutComponent: Component<any LoggedOutDependency> {}

protocol LoggedOutBuildable: Buildable {
  func build(withListener listener: any LoggedOutListener) -> any LoggedOutRouting
}

/// Builds the login.
final class LoggedOutBuilder: Builder<any LoggedOutDependency>, LoggedOutBuildable {
  func build(withListener listener: any LoggedOutListener) -> any LoggedOutRouting {
    let component = LoggedOutComponent(dependency: dependency)
    let interactor = LoggedOutInteractor(
      presenter: LoggedOutPresenter(viewController: component.dependency.narrator), clock: component.dependency.clock,
      census: component.dependency.census)
    interactor.listener = listener
    return LoggedOutRouter(interactor: interactor)
  }
}
