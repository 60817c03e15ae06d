// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

protocol OrderResultDetailInteractable: Interactable, VehicleDynamicsListener, CancelOrderListener {}

final class OrderResultDetailRouter: Router<any OrderResultDetailInteractable>, OrderResultDetailRouting {
  private let vehicleDynamicsBuilder: any VehicleDynamicsBuildable
  private let etaBuilder: any EtaBuildable
  private let driverInfoBuilder: any DriverInfoBuildable
  private let rideMeterBuilder: any RideMeterBuildable
  private let cancelOrderBuilder: any CancelOrderBuildable
  private let restarts: Restarts

  /// The tracking of the vehicle, restarted alone if it fails.
  private lazy var tracking = ChildSlot<Tracking>(of: self, restarts: restarts) { router, _ in
    router.vehicleDynamicsBuilder.build(withListener: router.interactor)
  }

  private enum Tracking: String, Codable {
    case vehicle
  }

  init(
    interactor: any OrderResultDetailInteractable,
    vehicleDynamicsBuilder: any VehicleDynamicsBuildable,
    etaBuilder: any EtaBuildable,
    driverInfoBuilder: any DriverInfoBuildable,
    rideMeterBuilder: any RideMeterBuildable,
    cancelOrderBuilder: any CancelOrderBuildable,
    restarts: Restarts
  ) {
    self.vehicleDynamicsBuilder = vehicleDynamicsBuilder
    self.etaBuilder = etaBuilder
    self.driverInfoBuilder = driverInfoBuilder
    self.rideMeterBuilder = rideMeterBuilder
    self.cancelOrderBuilder = cancelOrderBuilder
    self.restarts = restarts
    super.init(interactor: interactor)
  }

  override var savedChildren: [SavedChildren] { [tracking.saved(as: "tracking")] }

  override func didLoad() {
    super.didLoad()
    tracking.begin(with: .vehicle)
    attachChild(etaBuilder.build())
    attachChild(driverInfoBuilder.build())
    attachChild(rideMeterBuilder.build())
    attachChild(cancelOrderBuilder.build(withListener: interactor))
  }
}
