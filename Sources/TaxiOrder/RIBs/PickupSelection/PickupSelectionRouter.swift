// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

protocol PickupSelectionInteractable: Interactable {
  var listener: (any PickupSelectionListener)? { get set }
}

final class PickupSelectionRouter: Router<any PickupSelectionInteractable>, PickupSelectionRouting {}
