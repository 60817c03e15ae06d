internal import RIBs

protocol RootInteractable: Interactable, LoggedOutListener, LoggedInListener {
  var router: (any RootRouting)? { get set }
}

final class RootRouter: LaunchRouter<any RootInteractable, any ViewControllable>, RootRouting {
  private let loggedOutBuilder: any LoggedOutBuildable
  private let loggedInBuilder: any LoggedInBuildable
  /// What the rider is in front of.
  private var child: (any Routing)?

  init(
    interactor: any RootInteractable,
    viewController: any ViewControllable,
    loggedOutBuilder: any LoggedOutBuildable,
    loggedInBuilder: any LoggedInBuildable
  ) {
    self.loggedOutBuilder = loggedOutBuilder
    self.loggedInBuilder = loggedInBuilder
    super.init(interactor: interactor, viewController: viewController)
  }

  func routeToLoggedOut() { show(loggedOutBuilder.build(withListener: interactor)) }

  func routeToLoggedIn() -> any LoggedInActionableItem {
    let (loggedIn, actionableItem) = loggedInBuilder.build(withListener: interactor)
    show(loggedIn)
    return actionableItem
  }

  /// Attaches a child in place of the one before.
  private func show(_ child: any Routing) {
    if let previous = self.child { detachChild(previous) }
    self.child = child
    attachChild(child)
  }
}
