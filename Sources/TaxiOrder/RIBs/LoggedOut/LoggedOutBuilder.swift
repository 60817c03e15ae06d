// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

protocol LoggedOutDependency: Dependency {
  var ribCounter: RIBCounter { get }
  var narrator: Narrator { get }
  var clock: any OrderClock { get }
  var remoteRider: RemoteRider? { get }
}

/// What LoggedOut provides to its children: it has none.
final class LoggedOutComponent: Component<any LoggedOutDependency> {}

protocol LoggedOutBuildable: Buildable {
  func build(withListener listener: any LoggedOutListener) -> any LoggedOutRouting
}

/// Builds the login.
final class LoggedOutBuilder: Builder<any LoggedOutDependency>, LoggedOutBuildable {
  func build(withListener listener: any LoggedOutListener) -> any LoggedOutRouting {
    let interactor = LoggedOutInteractor(
      presenter: LoggedOutPresenter(viewController: dependency.narrator), clock: dependency.clock,
      remoteRider: dependency.remoteRider,
      ribCounter: dependency.ribCounter)
    interactor.listener = listener
    return LoggedOutRouter(interactor: interactor)
  }
}
