// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

protocol RideMeterDependency: Dependency {
  var ribCounter: RIBCounter { get }
  var narrator: Narrator { get }
  var taxiStateStream: any TaxiStateStream { get }
}

/// What RideMeter provides to its children: it has none.
final class RideMeterComponent: Component<any RideMeterDependency> {}

protocol RideMeterBuildable: Buildable {
  func build() -> any RideMeterRouting
}

/// Builds the meter of the taxi.
final class RideMeterBuilder: Builder<any RideMeterDependency>, RideMeterBuildable {
  func build() -> any RideMeterRouting {
    let interactor = RideMeterInteractor(
      presenter: RideMeterPresenter(viewController: dependency.narrator), taxiStateStream: dependency.taxiStateStream,
      ribCounter: dependency.ribCounter)
    return RideMeterRouter(interactor: interactor)
  }
}
