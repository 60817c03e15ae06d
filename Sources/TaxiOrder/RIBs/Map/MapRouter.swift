internal import RIBs

protocol MapInteractable: Interactable {}

/// A view with pins on it.
protocol MapViewControllable: ViewControllable {
  var pins: [MapPin] { get set }
}

final class MapRouter: ViewableRouter<any MapInteractable, any MapViewControllable>, MapRouting {}
