// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

final class NearbyTaxiPresenter: Presenter<any MapViewControllable>, NearbyTaxiPresentable {
  func show(_ taxi: NearbyTaxi) { viewController.pins[taxi.id] = taxi.position }
  func hide(_ taxi: NearbyTaxi) { viewController.pins[taxi.id] = nil }
}
