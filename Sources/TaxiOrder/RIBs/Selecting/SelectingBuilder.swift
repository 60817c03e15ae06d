// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

protocol SelectingDependency: AppDependency {
  /// The rider who makes the choices; nil if `rider` has made them.
  var choosingRider: RemoteRider? { get }
}

/// The dependencies of Selecting's children.
final class SelectingComponent: Component<any SelectingDependency>, AppDependencyForwarding,
  PickupSelectionDependency, DestinationSelectionDependency, FareQuoteDependency, PaymentMethodDependency,
  ConfirmationDependency
{
  var appDependency: any AppDependency { dependency }
  var choosingRider: RemoteRider? { dependency.choosingRider }
  var draftStream: any OrderDraftStream { mutableDraftStream }
  var mutableDraftStream: MutableOrderDraftStream { shared { MutableOrderDraftStream() } }
}

protocol SelectingBuildable: Buildable {
  func build(withListener listener: any SelectingListener) -> any SelectingRouting
}

/// Builds the choices before an order.
final class SelectingBuilder: Builder<any SelectingDependency>, SelectingBuildable {
  func build(withListener listener: any SelectingListener) -> any SelectingRouting {
    let component = SelectingComponent(dependency: dependency)
    let interactor = SelectingInteractor(
      draftStream: component.mutableDraftStream, remoteRider: component.remoteRider,
      choosingRider: component.choosingRider, rider: component.rider, ribCounter: component.ribCounter)
    let router = SelectingRouter(
      interactor: interactor,
      pickupSelectionBuilder: PickupSelectionBuilder(dependency: component),
      destinationSelectionBuilder: DestinationSelectionBuilder(dependency: component),
      fareQuoteBuilder: FareQuoteBuilder(dependency: component),
      paymentMethodBuilder: PaymentMethodBuilder(dependency: component),
      confirmationBuilder: ConfirmationBuilder(dependency: component),
      restarts: component.restarts)
    return interactor.connect(to: router, listener: listener)
  }
}
