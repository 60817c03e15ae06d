// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

protocol OrderResultDetailDependency: AppDependency {}

/// The dependencies of OrderResultDetail's children.
final class OrderResultDetailComponent: Component<any OrderResultDetailDependency>, AppDependencyForwarding,
  VehicleDynamicsDependency, EtaDependency, DriverInfoDependency, RideMeterDependency, CancelOrderDependency
{
  var appDependency: any AppDependency { dependency }
  private let assignment: Assignment

  init(dependency: any OrderResultDetailDependency, assignment: Assignment) {
    self.assignment = assignment
    super.init(dependency: dependency)
  }

  var taxiStateStream: any TaxiStateStream { mutableTaxiStateStream }
  var mutableTaxiStateStream: MutableTaxiStateStream {
    shared { MutableTaxiStateStream(.assigned(assignment: assignment)) }
  }

  var cancelsAfter: Duration? { dependency.rider.cancellationTimes.taxi }
  var isCancellable: Observable<Bool> { taxiStateStream.state.map(\.isBeforeRide).distinctUntilChanged() }
}

protocol OrderResultDetailBuildable: Buildable {
  func build(withListener listener: any OrderResultDetailListener, assignment: Assignment)
    -> any OrderResultDetailRouting
}

/// Builds the display of the taxi on its way and of the ride.
final class OrderResultDetailBuilder: Builder<any OrderResultDetailDependency>, OrderResultDetailBuildable {
  func build(withListener listener: any OrderResultDetailListener, assignment: Assignment)
    -> any OrderResultDetailRouting
  {
    let component = OrderResultDetailComponent(dependency: dependency, assignment: assignment)
    let interactor = OrderResultDetailInteractor(
      presenter: OrderResultDetailPresenter(viewController: component.narrator),
      dispatchService: component.dispatchService, clock: component.clock, remoteRider: component.remoteRider,
      taxiStateStream: component.mutableTaxiStateStream, assignment: assignment,
      ribCounter: component.ribCounter)
    let router = OrderResultDetailRouter(
      interactor: interactor,
      vehicleDynamicsBuilder: VehicleDynamicsBuilder(dependency: component),
      etaBuilder: EtaBuilder(dependency: component),
      driverInfoBuilder: DriverInfoBuilder(dependency: component),
      rideMeterBuilder: RideMeterBuilder(dependency: component),
      cancelOrderBuilder: CancelOrderBuilder(dependency: component),
      restarts: component.restarts)
    return interactor.connect(to: router, listener: listener)
  }
}
