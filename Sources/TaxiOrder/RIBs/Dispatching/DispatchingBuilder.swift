// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

protocol DispatchingDependency: AppDependency {}

/// The dependencies of Dispatching's children.
final class DispatchingComponent: Component<any DispatchingDependency>, AppDependencyForwarding, CancelOrderDependency {
  var appDependency: any AppDependency { dependency }
  var cancelsAfter: Duration? { dependency.rider.cancellationTimes.search }
  /// A search can be cancelled at any time.
  var isCancellable: Observable<Bool> { .just(true) }
}

protocol DispatchingBuildable: Buildable {
  /// - Parameter key: the key from which those of the searches derive.
  func build(withListener listener: any DispatchingListener, draft: OrderDraft, key: RequestKey)
    -> any DispatchingRouting
}

/// Builds the search for a taxi.
final class DispatchingBuilder: Builder<any DispatchingDependency>, DispatchingBuildable {
  func build(withListener listener: any DispatchingListener, draft: OrderDraft, key: RequestKey)
    -> any DispatchingRouting
  {
    let component = DispatchingComponent(dependency: dependency)
    let interactor = DispatchingInteractor(
      presenter: DispatchingPresenter(viewController: component.narrator),
      dispatchService: component.dispatchService, clock: component.clock, remoteRider: component.remoteRider,
      draft: draft, key: key, ribCounter: component.ribCounter)
    let router = DispatchingRouter(
      interactor: interactor, cancelOrderBuilder: CancelOrderBuilder(dependency: component))
    return interactor.connect(to: router, listener: listener)
  }
}
