// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

protocol DispatchingInteractable: Interactable, CancelOrderListener {
  var router: (any DispatchingRouting)? { get set }
  var listener: (any DispatchingListener)? { get set }
}

final class DispatchingRouter: Router<any DispatchingInteractable>, DispatchingRouting {
  private let cancelOrderBuilder: any CancelOrderBuildable

  init(interactor: any DispatchingInteractable, cancelOrderBuilder: any CancelOrderBuildable) {
    self.cancelOrderBuilder = cancelOrderBuilder
    super.init(interactor: interactor)
  }

  override func didLoad() {
    super.didLoad()
    attachChild(cancelOrderBuilder.build(withListener: interactor))
  }
}
