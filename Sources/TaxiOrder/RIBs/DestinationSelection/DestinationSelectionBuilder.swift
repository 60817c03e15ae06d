// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

protocol DestinationSelectionDependency: Dependency {
  var ribCounter: RIBCounter { get }
  var narrator: Narrator { get }
  var rider: Rider { get }
  /// The rider who chooses; nil if `rider` has chosen.
  var choosingRider: RemoteRider? { get }
}

/// What DestinationSelection provides to its children: it has none.
final class DestinationSelectionComponent: Component<any DestinationSelectionDependency> {}

protocol DestinationSelectionBuildable: Buildable {
  func build(withListener listener: any DestinationSelectionListener) -> any DestinationSelectionRouting
}

/// Builds the choice of a destination.
final class DestinationSelectionBuilder: Builder<any DestinationSelectionDependency>, DestinationSelectionBuildable {
  func build(withListener listener: any DestinationSelectionListener) -> any DestinationSelectionRouting {
    let interactor = DestinationSelectionInteractor(
      presenter: DestinationSelectionPresenter(viewController: dependency.narrator), rider: dependency.rider,
      choosingRider: dependency.choosingRider,
      ribCounter: dependency.ribCounter)
    interactor.listener = listener
    return DestinationSelectionRouter(interactor: interactor)
  }
}
