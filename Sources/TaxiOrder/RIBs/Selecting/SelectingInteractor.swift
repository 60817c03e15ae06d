// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

protocol SelectingRouting: Routing {
  /// Begins with the first choice, unless another was restored.
  func begin()
  func route(to step: SelectingStep)
  func detachStep()
}

protocol SelectingListener: AnyObject {
  func selectingDidConfirm(_ draft: OrderDraft)
  func selectingDidCancel()
  func selectingDidFail(_ reason: String)
}

/// Requests one choice after another, and collects them in the draft that its children read.
final class SelectingInteractor: Interactor, SelectingInteractable, Connectable, Saving {
  var savedState: OrderDraft {
    get { draftStream.value }
    set { draftStream.update { $0 = newValue } }
  }

  weak var router: (any SelectingRouting)?
  weak var listener: (any SelectingListener)?

  private let draftStream: MutableOrderDraftStream
  private let remoteRider: RemoteRider?
  private let choosingRider: RemoteRider?
  private let rider: Rider
  private let token: RIBCounter.Token

  init(
    draftStream: MutableOrderDraftStream, remoteRider: RemoteRider?, choosingRider: RemoteRider?, rider: Rider,
    ribCounter: RIBCounter
  ) {
    self.draftStream = draftStream
    self.remoteRider = remoteRider
    self.choosingRider = choosingRider
    self.rider = rider
    token = RIBCounter.Token(of: ribCounter)
    super.init()
  }

  override var treeSummary: String? { "from \(draftStream.value.pickup)" }

  override func didBecomeActive() {
    super.didBecomeActive()
    remoteRider?.cancellations
      .subscribe(onNext: { self.listener?.selectingDidCancel() })
      .disposeOnDeactivate(interactor: self)
    if let choosingRider { follow(choosingRider) }
    router?.begin()
  }

  /// Each change passes all choices again: those that are made are taken, and the first one that is missing waits.
  private func follow(_ rider: RemoteRider) {
    rider.isChoosing = true
    rider.status.accept(.choosing(choices: rider.choices.value))
    rider.choices.skip(1)
      .subscribe(onNext: { choices in
        // First: the confirmation shows each change of the draft.
        self.router?.detachStep()
        self.savedState = OrderDraft()
        rider.status.accept(.choosing(choices: choices))
        self.router?.route(to: .pickup)
      })
      .disposeOnDeactivate(interactor: self)
  }

  override func willResignActive() {
    choosingRider?.isChoosing = false
    super.willResignActive()
  }

  /// There is no quote after all restarts.
  override func childDidFail(_ failure: ChildFailure) { listener?.selectingDidFail("\(failure.error)") }

  func pickupSelectionDidSelect(_ place: Place) {
    savedState.pickup = place
    savedState.time = choosingRider.map { $0.choices.value.time?.date } ?? rider.time
    router?.route(to: .destination)
  }

  func destinationSelectionDidSelect(_ place: Place?) {
    savedState.destination = place
    router?.route(to: .quote)
  }

  func fareQuoteDidAccept(_ quote: Quote) {
    savedState.quote = quote
    router?.route(to: .payment)
  }

  func paymentMethodDidSelect(_ payment: Payment) {
    savedState.payment = payment
    router?.route(to: .confirmation)
  }

  func paymentMethodDidRunOut() { listener?.selectingDidFail("there is nothing to pay with") }

  func confirmationDidConfirm() { listener?.selectingDidConfirm(draftStream.value) }
}
