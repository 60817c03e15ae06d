internal import RIBs

protocol LoggedInInteractable: Interactable, OrderListener {
  var router: (any LoggedInRouting)? { get set }
  var listener: (any LoggedInListener)? { get set }
}

final class LoggedInRouter: Router<any LoggedInInteractable>, LoggedInRouting {
  private let orderBuilder: any OrderBuildable
  private var order: (any Routing)?

  init(interactor: any LoggedInInteractable, orderBuilder: any OrderBuildable) {
    self.orderBuilder = orderBuilder
    super.init(interactor: interactor)
  }

  func routeToOrder() {
    let order = orderBuilder.build(withListener: interactor)
    self.order = order
    attachChild(order)
  }

  func detachOrder() {
    guard let order else { return }
    self.order = nil
    detachChild(order)
  }
}
