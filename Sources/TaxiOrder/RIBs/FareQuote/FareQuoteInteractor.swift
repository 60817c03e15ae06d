// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

protocol FareQuoteRouting: Routing {}

protocol FareQuotePresentable: Presentable {
  func show(_ quote: Quote)
}

protocol FareQuoteListener: AnyObject {
  func fareQuoteDidAccept(_ quote: Quote)
}

/// Requests a quote for the ride.
final class FareQuoteInteractor: PresentableInteractor<any FareQuotePresentable>, FareQuoteInteractable {
  weak var listener: (any FareQuoteListener)?

  private let quoteService: any QuoteService
  private let draftStream: any OrderDraftStream
  private let token: RIBCounter.Token

  init(
    presenter: any FareQuotePresentable, quoteService: any QuoteService, draftStream: any OrderDraftStream,
    ribCounter: RIBCounter
  ) {
    self.quoteService = quoteService
    self.draftStream = draftStream
    token = RIBCounter.Token(of: ribCounter)
    super.init(presenter: presenter)
  }

  override func didBecomeActive() {
    super.didBecomeActive()
    draftStream.draft
      .take(1)
      .subscribe(onNext: { draft in self.requestQuote(for: draft) })
      .disposeOnDeactivate(interactor: self)
  }

  override func didFail(_ error: any Error, of work: BoundWork) { fail(error) }

  private func requestQuote(for draft: OrderDraft) {
    run({ [quoteService, nodeID] in
      try await quoteService.quote(from: draft.pickup, to: draft.destination, sender: nodeID)
    }) { quote in
      self.presenter.show(quote)
      self.listener?.fareQuoteDidAccept(quote)
    }
  }
}
