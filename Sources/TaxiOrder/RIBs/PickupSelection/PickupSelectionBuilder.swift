// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

protocol PickupSelectionDependency: Dependency {
  var ribCounter: RIBCounter { get }
  var narrator: Narrator { get }
  var rider: Rider { get }
  /// The rider who chooses; nil if `rider` has chosen.
  var choosingRider: RemoteRider? { get }
}

/// What PickupSelection provides to its children: it has none.
final class PickupSelectionComponent: Component<any PickupSelectionDependency> {}

protocol PickupSelectionBuildable: Buildable {
  func build(withListener listener: any PickupSelectionListener) -> any PickupSelectionRouting
}

/// Builds the choice of a pickup.
final class PickupSelectionBuilder: Builder<any PickupSelectionDependency>, PickupSelectionBuildable {
  func build(withListener listener: any PickupSelectionListener) -> any PickupSelectionRouting {
    let interactor = PickupSelectionInteractor(
      presenter: PickupSelectionPresenter(viewController: dependency.narrator), rider: dependency.rider,
      choosingRider: dependency.choosingRider,
      ribCounter: dependency.ribCounter)
    interactor.listener = listener
    return PickupSelectionRouter(interactor: interactor)
  }
}
