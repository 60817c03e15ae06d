internal import RIBs

protocol ConfirmationRouting: Routing {}

protocol ConfirmationPresentable: Presentable {
  func show(_ draft: OrderDraft)
}

protocol ConfirmationListener: AnyObject {
  func confirmationDidConfirm()
}

/// Shows the order once more, and places it when the rider has looked at it.
final class ConfirmationInteractor: PresentableInteractor<any ConfirmationPresentable>, ConfirmationInteractable {
  weak var listener: (any ConfirmationListener)?

  /// Between two looks at the taxis nearby, so that it is clear which comes first.
  private static let timeToLook = Duration.milliseconds(12_500)

  private let draftStream: any OrderDraftStream
  private let clock: any Clock<Duration>
  private let presence: Census.Presence

  init(
    presenter: any ConfirmationPresentable, draftStream: any OrderDraftStream, clock: any Clock<Duration>,
    census: Census
  ) {
    self.clock = clock
    self.draftStream = draftStream
    presence = Census.Presence(in: census)
    super.init(presenter: presenter)
  }

  override func didBecomeActive() {
    super.didBecomeActive()
    draftStream.draft
      .subscribe(onNext: { draft in self.presenter.show(draft) })
      .disposeOnDeactivate(interactor: self)
    run({ [clock] in try await clock.sleep(for: ConfirmationInteractor.timeToLook) }) { _ in
      self.listener?.confirmationDidConfirm()
    }
  }
}
