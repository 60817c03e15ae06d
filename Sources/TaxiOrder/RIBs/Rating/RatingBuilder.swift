// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

protocol RatingDependency: Dependency {
  var ribCounter: RIBCounter { get }
  var narrator: Narrator { get }
  var clock: any OrderClock { get }
  var remoteRider: RemoteRider? { get }
}

/// What Rating provides to its children: it has none.
final class RatingComponent: Component<any RatingDependency> {}

protocol RatingBuildable: Buildable {
  func build(withListener listener: any RatingListener, bill: Bill) -> any RatingRouting
}

/// Builds the rating of the ride.
final class RatingBuilder: Builder<any RatingDependency>, RatingBuildable {
  func build(withListener listener: any RatingListener, bill: Bill) -> any RatingRouting {
    let interactor = RatingInteractor(
      presenter: RatingPresenter(viewController: dependency.narrator), clock: dependency.clock,
      remoteRider: dependency.remoteRider, bill: bill,
      ribCounter: dependency.ribCounter)
    interactor.listener = listener
    return RatingRouter(interactor: interactor)
  }
}
