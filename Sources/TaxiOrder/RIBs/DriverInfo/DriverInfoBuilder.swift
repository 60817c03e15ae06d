// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

protocol DriverInfoDependency: Dependency {
  var ribCounter: RIBCounter { get }
  var narrator: Narrator { get }
  var taxiStateStream: any TaxiStateStream { get }
}

/// What DriverInfo provides to its children: it has none.
final class DriverInfoComponent: Component<any DriverInfoDependency> {}

protocol DriverInfoBuildable: Buildable {
  func build() -> any DriverInfoRouting
}

/// Builds the display of the driver.
final class DriverInfoBuilder: Builder<any DriverInfoDependency>, DriverInfoBuildable {
  func build() -> any DriverInfoRouting {
    let interactor = DriverInfoInteractor(
      presenter: DriverInfoPresenter(viewController: dependency.narrator), taxiStateStream: dependency.taxiStateStream,
      ribCounter: dependency.ribCounter)
    return DriverInfoRouter(interactor: interactor)
  }
}
