// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

protocol EtaDependency: Dependency {
  var ribCounter: RIBCounter { get }
  var narrator: Narrator { get }
  var clock: any OrderClock { get }
  var taxiStateStream: any TaxiStateStream { get }
}

/// What Eta provides to its children: it has none.
final class EtaComponent: Component<any EtaDependency> {}

protocol EtaBuildable: Buildable {
  func build() -> any EtaRouting
}

/// Builds the display of the remaining time.
final class EtaBuilder: Builder<any EtaDependency>, EtaBuildable {
  func build() -> any EtaRouting {
    let interactor = EtaInteractor(
      presenter: EtaPresenter(viewController: dependency.narrator), taxiStateStream: dependency.taxiStateStream,
      clock: dependency.clock, ribCounter: dependency.ribCounter)
    return EtaRouter(interactor: interactor)
  }
}
