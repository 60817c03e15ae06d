// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

final class HistoryPresenter: Presenter<Narrator>, HistoryPresentable {
  func show(_ orders: [PastOrder]) {
    viewController.show(.heading(Stage.history.title))
    for order in orders { viewController.line("\(order)") }
    viewController.show(.stage(.history))
  }
}
