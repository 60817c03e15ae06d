internal import RIBs

final class SessionRouter: Router<SessionInteractor> {}

final class SessionBuilder: Builder<any EmptyDependency> {
  func build(number: Int, isStuck: Bool) -> SessionRouter {
    SessionRouter(interactor: SessionInteractor(number: number, isStuck: isStuck))
  }
}
