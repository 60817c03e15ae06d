internal import RIBs

protocol LoggedInInteractable: Interactable, OrderListener, HistoryListener {
  var router: (any LoggedInRouting)? { get set }
  var listener: (any LoggedInListener)? { get set }
}

/// Where LoggedIn shows the views of its children.
protocol LoggedInViewControllable: ViewControllable {
  func present(_ view: any ViewControllable)
  func dismiss(_ view: any ViewControllable)
}

final class LoggedInRouter: Router<any LoggedInInteractable>, LoggedInRouting {
  private let viewController: any LoggedInViewControllable
  private let mapBuilder: any MapBuildable
  private let orderBuilder: any OrderBuildable
  private let historyBuilder: any HistoryBuildable
  private var map: (any MapRouting)?
  private var order: (any Routing)?
  private var history: (any Routing)?

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

  func routeToMap() {
    let map = mapBuilder.build()
    self.map = map
    attachChild(map)
    viewController.present(map.viewControllable)
  }

  func cleanupViews() {
    if let map { viewController.dismiss(map.viewControllable) }
  }

  func routeToOrder(by link: OrderLink?) -> any OrderActionableItem {
    detachOrder()
    let (order, actionableItem) = orderBuilder.build(withListener: interactor, link: link)
    self.order = order
    attachChild(order)
    return actionableItem
  }

  func detachOrder() {
    guard let order else { return }
    self.order = nil
    detachChild(order)
  }

  func routeToHistory() {
    detachHistory()
    let history = historyBuilder.build(withListener: interactor)
    self.history = history
    attachChild(history)
  }

  func detachHistory() {
    guard let history else { return }
    self.history = nil
    detachChild(history)
  }
}
