// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

final class RideMeterPresenter: Presenter<Narrator>, RideMeterPresentable {
  func showStart() { viewController.line("The meter is running") }

  func show(_ ride: Ride) { viewController.line("Metered: \(ride.distance) in \(ride.duration.clockText)") }
}
