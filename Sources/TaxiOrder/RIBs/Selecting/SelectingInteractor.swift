internal import RIBs

protocol SelectingRouting: Routing {
  /// Begins with the first choice, unless another was restored.
  func begin()
  func route(to step: SelectingStep)
}

protocol SelectingListener: AnyObject {
  func selectingDidConfirm(_ draft: OrderDraft)
  func selectingDidFail(_ reason: String)
}

/// Requests one choice after another, and collects them in the draft that its children read.
final class SelectingInteractor: Interactor, SelectingInteractable, Saving {
  var savedState: OrderDraft {
    get { draftStream.value }
    set { draftStream.update { $0 = newValue } }
  }

  weak var router: (any SelectingRouting)?
  weak var listener: (any SelectingListener)?

  private let draftStream: MutableOrderDraftStream
  private let token: RIBCounter.Token

  init(draftStream: MutableOrderDraftStream, ribCounter: RIBCounter) {
    self.draftStream = draftStream
    token = RIBCounter.Token(of: ribCounter)
    super.init()
  }

  override var treeSummary: String? { "from \(draftStream.value.pickup)" }

  override func didBecomeActive() {
    super.didBecomeActive()
    router?.begin()
  }

  /// There is no quote after all restarts.
  override func childDidFail(_ failure: ChildFailure) { listener?.selectingDidFail("\(failure.error)") }

  func pickupSelectionDidSelect(_ place: Place) {
    savedState.pickup = place
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
