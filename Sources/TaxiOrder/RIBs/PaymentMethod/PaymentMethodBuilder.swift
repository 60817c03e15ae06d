// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

protocol PaymentMethodDependency: Dependency {
  var ribCounter: RIBCounter { get }
  var narrator: Narrator { get }
  var rider: Rider { get }
  var paymentPoint: PaymentPoint { get }
  var remoteRider: RemoteRider? { get }
  /// The rider who makes the first choice; nil if `rider` has made it.
  var choosingRider: RemoteRider? { get }
}

/// What PaymentMethod provides to its children: it has none.
final class PaymentMethodComponent: Component<any PaymentMethodDependency> {}

protocol PaymentMethodBuildable: Buildable {
  /// - Parameter declined: the means of payment that can't be chosen.
  func build(withListener listener: any PaymentMethodListener, without declined: Set<Payment>)
    -> any PaymentMethodRouting
}

/// Builds the choice of a means of payment.
final class PaymentMethodBuilder: Builder<any PaymentMethodDependency>, PaymentMethodBuildable {
  func build(withListener listener: any PaymentMethodListener, without declined: Set<Payment>)
    -> any PaymentMethodRouting
  {
    let interactor = PaymentMethodInteractor(
      presenter: PaymentMethodPresenter(viewController: dependency.narrator), rider: dependency.rider,
      paymentPoint: dependency.paymentPoint, remoteRider: dependency.remoteRider,
      choosingRider: dependency.choosingRider, declined: declined,
      ribCounter: dependency.ribCounter)
    interactor.listener = listener
    return PaymentMethodRouter(interactor: interactor)
  }
}
