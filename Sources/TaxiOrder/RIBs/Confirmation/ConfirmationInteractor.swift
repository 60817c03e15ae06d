internal import RIBs

protocol ConfirmationRouting: Routing {}

protocol ConfirmationPresentable: Presentable {
  func show(_ draft: OrderDraft)
}

protocol ConfirmationListener: AnyObject {
  func confirmationDidConfirm()
}

/// Shows the order once more, and places it.
final class ConfirmationInteractor: PresentableInteractor<any ConfirmationPresentable>, ConfirmationInteractable {
  weak var listener: (any ConfirmationListener)?

  private let draftStream: any OrderDraftStream
  private let presence: Census.Presence

  init(presenter: any ConfirmationPresentable, draftStream: any OrderDraftStream, census: Census) {
    self.draftStream = draftStream
    presence = Census.Presence(in: census)
    super.init(presenter: presenter)
  }

  override func didBecomeActive() {
    super.didBecomeActive()
    draftStream.draft
      .subscribe(onNext: { draft in self.presenter.show(draft) })
      .disposeOnDeactivate(interactor: self)
    listener?.confirmationDidConfirm()
  }
}
