internal import RIBs

final class MapPresenter: Presenter<any MapViewControllable>, MapPresentable {
  func show(_ taxis: [NearbyTaxi]) {
    viewController.pins = taxis.map { MapPin(number: $0.id, position: $0.position) }
  }
}
