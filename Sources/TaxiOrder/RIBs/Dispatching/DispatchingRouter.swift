// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

protocol DispatchingInteractable: Interactable, CancelOrderListener {}

final class DispatchingRouter: Router<any DispatchingInteractable>, DispatchingRouting {
  private let cancelOrderBuilder: any CancelOrderBuildable
  private var cancelOrder: (any Routing)?

  init(interactor: any DispatchingInteractable, cancelOrderBuilder: any CancelOrderBuildable) {
    self.cancelOrderBuilder = cancelOrderBuilder
    super.init(interactor: interactor)
  }

  func routeToCancelOrder() {
    guard cancelOrder == nil else { return }
    let cancelOrder = cancelOrderBuilder.build(withListener: interactor)
    self.cancelOrder = cancelOrder
    attachChild(cancelOrder)
  }
}
