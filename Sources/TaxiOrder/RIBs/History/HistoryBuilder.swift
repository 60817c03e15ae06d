// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

protocol HistoryDependency: Dependency {
  var ribCounter: RIBCounter { get }
  var narrator: Narrator { get }
  var orderHistoryStream: any OrderHistoryStream { get }
  var clock: any OrderClock { get }
  var remoteRider: RemoteRider? { get }
}

/// What History provides to its children: it has none.
final class HistoryComponent: Component<any HistoryDependency> {}

protocol HistoryBuildable: Buildable {
  func build(withListener listener: any HistoryListener) -> any HistoryRouting
}

/// Builds the list of past orders.
final class HistoryBuilder: Builder<any HistoryDependency>, HistoryBuildable {
  func build(withListener listener: any HistoryListener) -> any HistoryRouting {
    let interactor = HistoryInteractor(
      presenter: HistoryPresenter(viewController: dependency.narrator),
      orderHistoryStream: dependency.orderHistoryStream, clock: dependency.clock, remoteRider: dependency.remoteRider,
      ribCounter: dependency.ribCounter)
    interactor.listener = listener
    return HistoryRouter(interactor: interactor)
  }
}
