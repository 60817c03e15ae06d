// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

final class PickupSelectionPresenter: Presenter<Narrator>, PickupSelectionPresentable {
  func show(_ place: Place) { viewController.line("Pickup at \(place)") }
}
