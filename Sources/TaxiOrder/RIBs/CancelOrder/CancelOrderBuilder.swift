// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

protocol CancelOrderDependency: Dependency {
  var ribCounter: RIBCounter { get }
  var narrator: Narrator { get }
  var dispatchService: any DispatchService { get }
  var clock: any OrderClock { get }
  var remoteRider: RemoteRider? { get }
  /// When the rider cancels, relative to activation; nil for never.
  var cancelsAfter: Duration? { get }
  /// Whether the order can be cancelled, as far as the app knows.
  var isCancellable: Observable<Bool> { get }
}

/// What CancelOrder provides to its children: it has none.
final class CancelOrderComponent: Component<any CancelOrderDependency> {}

protocol CancelOrderBuildable: Buildable {
  func build(withListener listener: any CancelOrderListener) -> any CancelOrderRouting
}

/// Builds the cancellation of an order.
final class CancelOrderBuilder: Builder<any CancelOrderDependency>, CancelOrderBuildable {
  func build(withListener listener: any CancelOrderListener) -> any CancelOrderRouting {
    let interactor = CancelOrderInteractor(
      presenter: CancelOrderPresenter(viewController: dependency.narrator), dispatchService: dependency.dispatchService,
      clock: dependency.clock, remoteRider: dependency.remoteRider, isCancellable: dependency.isCancellable,
      cancelsAfter: dependency.cancelsAfter,
      ribCounter: dependency.ribCounter)
    interactor.listener = listener
    return CancelOrderRouter(interactor: interactor)
  }
}
