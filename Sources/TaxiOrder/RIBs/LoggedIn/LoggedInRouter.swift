// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

protocol LoggedInInteractable: Interactable, OrderListener, HistoryListener {}

/// The view that shows the views of LoggedIn's children.
protocol LoggedInViewControllable: ViewControllable {
  func present(_ view: any ViewControllable)
  func dismiss(_ view: any ViewControllable)
}

/// A screen on top of the map.
enum LoggedInScreen: Hashable, Codable, Sendable {
  case order(link: OrderLink?)
  case history
}

final class LoggedInRouter: Router<any LoggedInInteractable>, LoggedInRouting {
  private let viewController: any LoggedInViewControllable
  private let mapBuilder: any MapBuildable
  private let orderBuilder: any OrderBuildable
  private let historyBuilder: any HistoryBuildable
  private var map: (any MapRouting)?
  private weak var order: (any OrderActionableItem)?

  /// The screens on top of the map. A covered order is released, and restarts when it is uncovered.
  private lazy var screens = ChildStack<LoggedInScreen>(of: self, covered: .released) { router, screen in
    switch screen {
    case .order(let link): router.buildOrder(by: link)
    case .history: router.historyBuilder.build(withListener: router.interactor)
    }
  }

  init(
    interactor: any LoggedInInteractable,
    viewController: any LoggedInViewControllable,
    mapBuilder: any MapBuildable,
    orderBuilder: any OrderBuildable,
    historyBuilder: any HistoryBuildable
  ) {
    self.viewController = viewController
    self.mapBuilder = mapBuilder
    self.orderBuilder = orderBuilder
    self.historyBuilder = historyBuilder
    super.init(interactor: interactor)
  }

  override var savedChildren: [SavedChildren] { [screens.saved(as: "screens")] }

  var isMapInFront: Bool { screens.top == nil }

  func routeToMap() {
    let map = mapBuilder.build()
    self.map = map
    attachChild(map)
    viewController.present(map.viewControllable)
  }

  func cleanupViews() {
    if let map { viewController.dismiss(map.viewControllable) }
  }

  func routeToOrder(by link: OrderLink?) -> (any OrderActionableItem)? {
    screens.push(.order(link: link))
    return order
  }

  func replaceOrderWithHistory() { screens.replace(with: .history) }

  func closeHistory() { screens.pop() }

  private func buildOrder(by link: OrderLink?) -> any Routing {
    let (router, actionableItem) = orderBuilder.build(withListener: interactor, link: link)
    order = actionableItem
    return router
  }
}
