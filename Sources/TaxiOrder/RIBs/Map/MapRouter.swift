// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs
internal import RIBsLists

protocol MapInteractable: Interactable {}

/// A view with a pin for each taxi.
protocol MapViewControllable: ViewControllable {
  /// The positions of the taxis by their numbers.
  var pins: [Int: Position] { get set }
  func showCount(_ count: Int)
  func showFailure(_ reason: String)
}

final class MapRouter: ViewableRouter<any MapInteractable, any MapViewControllable>, MapRouting {
  private let nearbyTaxiBuilder: any NearbyTaxiBuildable

  /// A RIB for each taxi.
  private lazy var list = ChildList<NearbyTaxi>(of: self) { router, taxi in router.nearbyTaxiBuilder.build(taxi) }

  init(
    interactor: any MapInteractable, viewController: any MapViewControllable,
    nearbyTaxiBuilder: any NearbyTaxiBuildable
  ) {
    self.nearbyTaxiBuilder = nearbyTaxiBuilder
    super.init(interactor: interactor, viewController: viewController)
  }

  override var savedChildren: [SavedChildren] { [list.saved(as: "taxis")] }

  var taxis: [NearbyTaxi] { list.models }

  func route(to taxis: [NearbyTaxi]) throws { try list.update(taxis) }
}
