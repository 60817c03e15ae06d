// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

final class RatingPresenter: Presenter<Narrator>, RatingPresentable {
  func show(_ rating: Rating) { viewController.line("Rated: \(rating)") }
}
