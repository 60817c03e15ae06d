internal import RIBs

final class ConfirmationPresenter: Presenter<Narrator>, ConfirmationPresentable {
  func show(_ draft: OrderDraft) {
    viewController.line(
      "Confirmed: \(draft.pickup)\(draft.destination.map { " to \($0)" } ?? ""), by \(draft.payment)")
  }
}
