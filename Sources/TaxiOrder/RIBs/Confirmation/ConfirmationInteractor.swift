// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

protocol ConfirmationRouting: Routing {}

protocol ConfirmationPresentable: Presentable {
  func show(_ draft: OrderDraft)
}

protocol ConfirmationListener: AnyObject {
  func confirmationDidConfirm()
}

/// Shows the order, and places it when the rider confirms, or after a simulated one has had time to read it.
final class ConfirmationInteractor: PresentableInteractor<any ConfirmationPresentable>, ConfirmationInteractable, Saving
{
  struct SavedState: Codable, Sendable {
    /// When the rider confirms; nil until this is active.
    var confirmationTime: OrderTime?
  }

  var savedState = SavedState() { didSet { setNeedsSave() } }

  weak var listener: (any ConfirmationListener)?

  /// Ends between two polls of the map, so that the order of events is deterministic.
  private static let timeToLook = Duration.milliseconds(12_500)

  private let draftStream: any OrderDraftStream
  private let clock: any OrderClock
  private let remoteRider: RemoteRider?
  private let choosingRider: RemoteRider?
  private let token: RIBCounter.Token

  init(
    presenter: any ConfirmationPresentable, draftStream: any OrderDraftStream, clock: any OrderClock,
    remoteRider: RemoteRider?, choosingRider: RemoteRider?, ribCounter: RIBCounter
  ) {
    self.clock = clock
    self.remoteRider = remoteRider
    self.choosingRider = choosingRider
    self.draftStream = draftStream
    token = RIBCounter.Token(of: ribCounter)
    super.init(presenter: presenter)
  }

  override func didBecomeActive() {
    super.didBecomeActive()
    draftStream.draft
      .subscribe(onNext: { draft in self.presenter.show(draft) })
      .disposeOnDeactivate(interactor: self)
    if let choosingRider { return ask(choosingRider) }
    let confirmationTime =
      savedState.confirmationTime ?? clock.time + remoteRider.time(ConfirmationInteractor.timeToLook)
    savedState.confirmationTime = confirmationTime
    run({ [clock] in try await clock.sleep(until: confirmationTime) }) { _ in
      self.listener?.confirmationDidConfirm()
    }
  }

  private func ask(_ rider: RemoteRider) {
    draftStream.draft
      .subscribe(onNext: { draft in rider.status.accept(.confirming(draft: draft)) })
      .disposeOnDeactivate(interactor: self)
    rider.confirmations
      .subscribe(onNext: { self.listener?.confirmationDidConfirm() })
      .disposeOnDeactivate(interactor: self)
  }
}
