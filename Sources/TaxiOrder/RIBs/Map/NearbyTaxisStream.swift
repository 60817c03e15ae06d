internal import RIBs

/// The free taxis near the rider, as far as they are known.
protocol NearbyTaxisStream: AnyObject {
  var taxis: Observable<[NearbyTaxi]> { get }
}

/// The writing end, which only the worker has.
final class MutableNearbyTaxisStream: NearbyTaxisStream {
  private let relay = BehaviorRelay<[NearbyTaxi]>(value: [])

  var taxis: Observable<[NearbyTaxi]> { relay.asObservable() }

  func accept(_ taxis: [NearbyTaxi]) { relay.accept(taxis) }
}
