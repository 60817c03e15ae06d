internal import RIBs

protocol OrderResultDetailInteractable: Interactable, VehicleDynamicsListener, CancelOrderListener {
  var router: (any OrderResultDetailRouting)? { get set }
  var listener: (any OrderResultDetailListener)? { get set }
}

final class OrderResultDetailRouter: Router<any OrderResultDetailInteractable>, OrderResultDetailRouting {
  private let vehicleDynamicsBuilder: any VehicleDynamicsBuildable
  private let etaBuilder: any EtaBuildable
  private let driverInfoBuilder: any DriverInfoBuildable
  private let rideMeterBuilder: any RideMeterBuildable
  private let cancelOrderBuilder: any CancelOrderBuildable

  init(
    interactor: any OrderResultDetailInteractable,
    vehicleDynamicsBuilder: any VehicleDynamicsBuildable,
    etaBuilder: any EtaBuildable,
    driverInfoBuilder: any DriverInfoBuildable,
    rideMeterBuilder: any RideMeterBuildable,
    cancelOrderBuilder: any CancelOrderBuildable
  ) {
    self.vehicleDynamicsBuilder = vehicleDynamicsBuilder
    self.etaBuilder = etaBuilder
    self.driverInfoBuilder = driverInfoBuilder
    self.rideMeterBuilder = rideMeterBuilder
    self.cancelOrderBuilder = cancelOrderBuilder
    super.init(interactor: interactor)
  }

  override func didLoad() {
    super.didLoad()
    attachChild(vehicleDynamicsBuilder.build(withListener: interactor))
    attachChild(etaBuilder.build())
    attachChild(driverInfoBuilder.build())
    attachChild(rideMeterBuilder.build())
    attachChild(cancelOrderBuilder.build(withListener: interactor))
  }
}
