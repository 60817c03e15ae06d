internal import RIBs

protocol SelectingRouting: Routing {
  func route(to step: SelectingStep)
}

protocol SelectingListener: AnyObject {
  func selectingDidConfirm(_ draft: OrderDraft)
  func selectingDidFail(_ reason: String)
}

/// Requests one choice after another, and collects them in the draft that its children read.
final class SelectingInteractor: Interactor, SelectingInteractable {
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
    router?.route(to: .pickup)
  }

  func pickupSelectionDidSelect(_ place: Place) {
    draftStream.update { $0.pickup = place }
    router?.route(to: .destination)
  }

  func destinationSelectionDidSelect(_ place: Place?) {
    draftStream.update { $0.destination = place }
    router?.route(to: .quote)
  }

  func fareQuoteDidAccept(_ quote: Quote) {
    draftStream.update { $0.quote = quote }
    router?.route(to: .payment)
  }

  func fareQuoteDidFail(_ reason: String) { listener?.selectingDidFail(reason) }

  func paymentMethodDidSelect(_ payment: Payment) {
    draftStream.update { $0.payment = payment }
    router?.route(to: .confirmation)
  }

  func paymentMethodDidRunOut() { listener?.selectingDidFail("there is nothing to pay with") }

  func confirmationDidConfirm() { listener?.selectingDidConfirm(draftStream.value) }
}
