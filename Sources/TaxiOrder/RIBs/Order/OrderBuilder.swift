// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

protocol OrderDependency: AppDependency {}

/// The dependencies of Order's children.
final class OrderComponent: Component<any OrderDependency>, AppDependencyForwarding,
  SelectingDependency, DispatchingDependency, OrderResultDetailDependency, SettlementDependency, ReceiptDependency,
  RatingDependency
{
  var appDependency: any AppDependency { dependency }
  /// The rider, with the pickup and destination of the link if there is one.
  let rider: Rider
  let choosingRider: RemoteRider?

  init(dependency: any OrderDependency, link: OrderLink?) {
    rider = link.map(dependency.rider.ordering(by:)) ?? dependency.rider
    choosingRider = link == nil ? dependency.remoteRider : nil
    super.init(dependency: dependency)
  }
}

protocol OrderBuildable: Buildable {
  /// - Parameter link: the link that requests the order; nil if the rider does.
  func build(withListener listener: any OrderListener, link: OrderLink?)
    -> (router: any OrderRouting, actionableItem: any OrderActionableItem)
}

/// Builds one order, from the first choice to the rating.
final class OrderBuilder: Builder<any OrderDependency>, OrderBuildable {
  func build(withListener listener: any OrderListener, link: OrderLink?)
    -> (router: any OrderRouting, actionableItem: any OrderActionableItem)
  {
    let component = OrderComponent(dependency: dependency, link: link)
    let interactor = OrderInteractor(
      presenter: OrderPresenter(viewController: component.narrator), remoteRider: component.remoteRider,
      ribCounter: component.ribCounter)
    let router = OrderRouter(
      interactor: interactor,
      selectingBuilder: SelectingBuilder(dependency: component),
      dispatchingBuilder: DispatchingBuilder(dependency: component),
      orderResultDetailBuilder: OrderResultDetailBuilder(dependency: component),
      settlementBuilder: SettlementBuilder(dependency: component),
      receiptBuilder: ReceiptBuilder(dependency: component),
      ratingBuilder: RatingBuilder(dependency: component),
      restarts: component.restarts)
    return (interactor.connect(to: router, listener: listener), interactor)
  }
}
