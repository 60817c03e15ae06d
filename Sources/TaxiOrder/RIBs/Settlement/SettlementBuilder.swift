// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

protocol SettlementDependency: AppDependency {}

/// The dependencies of Settlement's children.
final class SettlementComponent: Component<any SettlementDependency>, AppDependencyForwarding, PaymentMethodDependency {
  var appDependency: any AppDependency { dependency }
  var choosingRider: RemoteRider? { nil }
}

protocol SettlementBuildable: Buildable {
  /// - Parameter key: the key from which those of the charges derive.
  func build(withListener listener: any SettlementListener, ride: Ride, payment: Payment, key: RequestKey)
    -> any SettlementRouting
}

/// Builds the payment of a ride.
final class SettlementBuilder: Builder<any SettlementDependency>, SettlementBuildable {
  func build(withListener listener: any SettlementListener, ride: Ride, payment: Payment, key: RequestKey)
    -> any SettlementRouting
  {
    let component = SettlementComponent(dependency: dependency)
    let interactor = SettlementInteractor(
      presenter: SettlementPresenter(viewController: component.narrator), paymentService: component.paymentService,
      clock: component.clock, remoteRider: component.remoteRider, ride: ride, payment: payment, key: key,
      ribCounter: component.ribCounter)
    let router = SettlementRouter(
      interactor: interactor, paymentMethodBuilder: PaymentMethodBuilder(dependency: component))
    return interactor.connect(to: router, listener: listener)
  }
}
