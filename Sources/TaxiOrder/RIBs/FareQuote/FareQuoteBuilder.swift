// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

protocol FareQuoteDependency: Dependency {
  var ribCounter: RIBCounter { get }
  var narrator: Narrator { get }
  var quoteService: any QuoteService { get }
  var draftStream: any OrderDraftStream { get }
}

/// What FareQuote provides to its children: it has none.
final class FareQuoteComponent: Component<any FareQuoteDependency> {}

protocol FareQuoteBuildable: Buildable {
  func build(withListener listener: any FareQuoteListener) -> any FareQuoteRouting
}

/// Builds the request for a quote.
final class FareQuoteBuilder: Builder<any FareQuoteDependency>, FareQuoteBuildable {
  func build(withListener listener: any FareQuoteListener) -> any FareQuoteRouting {
    let interactor = FareQuoteInteractor(
      presenter: FareQuotePresenter(viewController: dependency.narrator), quoteService: dependency.quoteService,
      draftStream: dependency.draftStream, ribCounter: dependency.ribCounter)
    interactor.listener = listener
    return FareQuoteRouter(interactor: interactor)
  }
}
