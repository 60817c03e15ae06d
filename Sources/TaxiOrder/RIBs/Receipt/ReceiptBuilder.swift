// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

protocol ReceiptDependency: Dependency {
  var ribCounter: RIBCounter { get }
  var narrator: Narrator { get }
  var clock: any OrderClock { get }
  var remoteRider: RemoteRider? { get }
}

/// What Receipt provides to its children: it has none.
final class ReceiptComponent: Component<any ReceiptDependency> {}

protocol ReceiptBuildable: Buildable {
  func build(withListener listener: any ReceiptListener, paid: PaidBill) -> any ReceiptRouting
}

/// Builds the receipt of a ride.
final class ReceiptBuilder: Builder<any ReceiptDependency>, ReceiptBuildable {
  func build(withListener listener: any ReceiptListener, paid: PaidBill) -> any ReceiptRouting {
    let interactor = ReceiptInteractor(
      presenter: ReceiptPresenter(viewController: dependency.narrator), clock: dependency.clock,
      remoteRider: dependency.remoteRider, paid: paid,
      ribCounter: dependency.ribCounter)
    interactor.listener = listener
    return ReceiptRouter(interactor: interactor)
  }
}
