// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

final class EtaPresenter: Presenter<Narrator>, EtaPresentable {
  func showPickup(in time: Duration) { viewController.line("Pickup in \(time.clockText)") }
  func showDestination(in time: Duration) { viewController.line("There in \(time.clockText)") }
}
