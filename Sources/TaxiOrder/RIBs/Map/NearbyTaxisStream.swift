internal import RIBs

/// The free taxis near the rider, from the last poll.
protocol NearbyTaxisStream: AnyObject {
  var taxis: Observable<[NearbyTaxi]> { get }
}

/// The writable side, used only by the worker.
final class MutableNearbyTaxisStream: NearbyTaxisStream {
  private let relay = BehaviorRelay<[NearbyTaxi]>(value: [])

  var taxis: Observable<[NearbyTaxi]> { relay.asObservable() }

  func accept(_ taxis: [NearbyTaxi]) { relay.accept(taxis) }
}
