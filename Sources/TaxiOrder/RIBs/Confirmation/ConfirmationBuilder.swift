// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

protocol ConfirmationDependency: Dependency {
  var ribCounter: RIBCounter { get }
  var narrator: Narrator { get }
  var draftStream: any OrderDraftStream { get }
  var clock: any OrderClock { get }
  var remoteRider: RemoteRider? { get }
  /// The rider who confirms; nil if it is confirmed at once, or by a timer.
  var choosingRider: RemoteRider? { get }
}

/// What Confirmation provides to its children: it has none.
final class ConfirmationComponent: Component<any ConfirmationDependency> {}

protocol ConfirmationBuildable: Buildable {
  func build(withListener listener: any ConfirmationListener) -> any ConfirmationRouting
}

/// Builds the confirmation of an order before it is placed.
final class ConfirmationBuilder: Builder<any ConfirmationDependency>, ConfirmationBuildable {
  func build(withListener listener: any ConfirmationListener) -> any ConfirmationRouting {
    let interactor = ConfirmationInteractor(
      presenter: ConfirmationPresenter(viewController: dependency.narrator), draftStream: dependency.draftStream,
      clock: dependency.clock, remoteRider: dependency.remoteRider, choosingRider: dependency.choosingRider,
      ribCounter: dependency.ribCounter)
    interactor.listener = listener
    return ConfirmationRouter(interactor: interactor)
  }
}
