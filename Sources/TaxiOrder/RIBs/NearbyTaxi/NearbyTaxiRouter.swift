// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs
internal import RIBsLists

protocol NearbyTaxiInteractable: Interactable {
  func move(to taxi: NearbyTaxi)
}

final class NearbyTaxiRouter: Router<any NearbyTaxiInteractable>, NearbyTaxiRouting {
  func didUpdate(to taxi: NearbyTaxi, from previous: NearbyTaxi) { interactor.move(to: taxi) }
}
