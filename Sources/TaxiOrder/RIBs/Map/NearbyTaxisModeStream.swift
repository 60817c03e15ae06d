internal import RIBs

/// Whether the taxis nearby are shown.
enum NearbyTaxisMode: Hashable, Sendable {
  case shown
  /// From the start of the search: the rider waits for a particular taxi.
  case hidden
}

/// The mode that Map follows.
protocol NearbyTaxisModeStream: AnyObject {
  var mode: Observable<NearbyTaxisMode> { get }
}

/// The writable side, used only by LoggedIn.
final class MutableNearbyTaxisModeStream: NearbyTaxisModeStream {
  private let relay = BehaviorRelay(value: NearbyTaxisMode.shown)

  var mode: Observable<NearbyTaxisMode> { relay.asObservable() }

  func accept(_ mode: NearbyTaxisMode) { relay.accept(mode) }
}
