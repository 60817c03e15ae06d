// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

protocol PickupSelectionInteractable: Interactable {}

final class PickupSelectionRouter: Router<any PickupSelectionInteractable>, PickupSelectionRouting {}
