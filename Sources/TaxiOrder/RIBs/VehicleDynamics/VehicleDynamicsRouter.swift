// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

protocol VehicleDynamicsInteractable: Interactable {
  var listener: (any VehicleDynamicsListener)? { get set }
}

final class VehicleDynamicsRouter: Router<any VehicleDynamicsInteractable>, VehicleDynamicsRouting {}
