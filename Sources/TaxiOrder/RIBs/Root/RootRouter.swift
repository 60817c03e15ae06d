// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

protocol RootInteractable: Interactable, LoggedOutListener, LoggedInListener {}

final class RootRouter: LaunchRouter<any RootInteractable, any ViewControllable>, RootRouting {
  private let loggedOutBuilder: any LoggedOutBuildable
  private let loggedInBuilder: any LoggedInBuildable

  /// The part of the app that is shown, depending on the login.
  private lazy var entrance = ChildSlot<Entrance>(of: self) { router, entrance in
    switch entrance {
    case .loggedOut: router.loggedOutBuilder.build(withListener: router.interactor)
    case .loggedIn: router.buildLoggedIn()
    }
  }
  private(set) weak var loggedIn: (any LoggedInActionableItem)?

  private enum Entrance: String, Codable {
    case loggedOut, loggedIn
  }

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

  override var savedChildren: [SavedChildren] { [entrance.saved(as: "entrance")] }

  func begin() { entrance.begin(with: .loggedOut) }

  func routeToLoggedIn() { entrance.route = .loggedIn }

  private func buildLoggedIn() -> any Routing {
    let (router, actionableItem) = loggedInBuilder.build(withListener: interactor)
    loggedIn = actionableItem
    return router
  }
}
