// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

final class FareQuotePresenter: Presenter<Narrator>, FareQuotePresentable {
  func show(_ quote: Quote) { viewController.line("Fare: \(quote)") }
}
