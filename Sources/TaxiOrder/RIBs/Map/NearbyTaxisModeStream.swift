internal import RIBs

/// Whether the taxis nearby are of interest.
enum NearbyTaxisMode: Hashable, Sendable {
  case shown
  /// From when a taxi is looked for: the rider waits for that one.
  case hidden
}

/// What Map follows.
protocol NearbyTaxisModeStream: AnyObject {
  var mode: Observable<NearbyTaxisMode> { get }
}

/// The writing end, which only LoggedIn has.
final class MutableNearbyTaxisModeStream: NearbyTaxisModeStream {
  private let relay = BehaviorRelay(value: NearbyTaxisMode.shown)

  var mode: Observable<NearbyTaxisMode> { relay.asObservable() }

  func accept(_ mode: NearbyTaxisMode) { relay.accept(mode) }
}
