// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

protocol RootDependency: AppDependency {
  var report: (OrderOutcome) -> Void { get }
}

/// The dependencies of Root's children.
final class RootComponent: Component<any RootDependency>, AppDependencyForwarding, LoggedOutDependency,
  LoggedInDependency
{
  var appDependency: any AppDependency { dependency }
  var rootViewController: RootViewController { shared { RootViewController() } }
  var loggedInViewController: any LoggedInViewControllable { rootViewController }
}

protocol RootBuildable: Buildable {
  /// - Returns: the router to launch, and the handler of links.
  func build() -> (router: any RootRouting, linkHandler: any LinkHandler)
}

/// Builds the RIBs of the whole program.
final class RootBuilder: Builder<any RootDependency>, RootBuildable {
  func build() -> (router: any RootRouting, linkHandler: any LinkHandler) {
    let component = RootComponent(dependency: dependency)
    let interactor = RootInteractor(report: component.dependency.report, ribCounter: component.ribCounter)
    let router = RootRouter(
      interactor: interactor,
      viewController: component.rootViewController,
      loggedOutBuilder: LoggedOutBuilder(dependency: component),
      loggedInBuilder: LoggedInBuilder(dependency: component))
    interactor.router = router
    return (router, interactor)
  }
}
