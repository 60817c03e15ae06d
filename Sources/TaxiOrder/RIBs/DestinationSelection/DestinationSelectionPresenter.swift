// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

final class DestinationSelectionPresenter: Presenter<Narrator>, DestinationSelectionPresentable {
  func show(_ place: Place?) {
    viewController.line(place.map { "To \($0)" } ?? "No destination: the rider tells the driver on the way")
  }
}
