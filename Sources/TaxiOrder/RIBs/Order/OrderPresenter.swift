// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

final class OrderPresenter: Presenter<Narrator>, OrderPresentable {
  func willEnter(_ state: OrderState) { viewController.show(.heading(state.name)) }

  func didEnter(_ state: OrderState) {
    if let stage = state.stage { viewController.show(.stage(stage)) }
  }

  func showFailure(_ reason: String) { viewController.line("It failed: \(reason)") }
}
