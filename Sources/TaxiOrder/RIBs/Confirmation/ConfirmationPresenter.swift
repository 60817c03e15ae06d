// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

final class ConfirmationPresenter: Presenter<Narrator>, ConfirmationPresentable {
  func show(_ draft: OrderDraft) {
    viewController.line(
      "Confirmed: \(draft.pickup)\(draft.destination.map { " to \($0)" } ?? ""), by \(draft.payment)")
  }
}
