internal import RIBs

final class FareQuotePresenter: Presenter<Narrator>, FareQuotePresentable {
  func show(_ quote: Quote) { viewController.line("Fare: \(quote)") }
}
