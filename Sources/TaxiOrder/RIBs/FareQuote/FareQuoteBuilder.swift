internal import RIBs

protocol FareQuoteDependency: Dependency {
  var census: Census { get }
  var narrator: Narrator { get }
  var quoteService: any QuoteService { get }
  var draftStream: any OrderDraftStream { get }
}

/// Adds nothing to the dependencies of FareQuote.
final class FareQuoteComponent: Component<any FareQuoteDependency> {}

protocol FareQuoteBuildable: Buildable {
  func build(withListener listener: any FareQuoteListener) -> any FareQuoteRouting
}

/// Builds the request for a quote.
final class FareQuoteBuilder: Builder<any FareQuoteDependency>, FareQuoteBuildable {
  func build(withListener listener: any FareQuoteListener) -> any FareQuoteRouting {
    let component = FareQuoteComponent(dependency: dependency)
    let interactor = FareQuoteInteractor(
      presenter: FareQuotePresenter(viewController: component.dependency.narrator),
      quoteService: component.dependency.quoteService, draftStream: component.dependency.draftStream,
      census: component.dependency.census)
    interactor.listener = listener
    return FareQuoteRouter(interactor: interactor)
  }
}
