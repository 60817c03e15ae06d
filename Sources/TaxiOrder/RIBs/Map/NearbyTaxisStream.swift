// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

/// The free taxis near the rider, from each poll.
protocol NearbyTaxisStream: AnyObject {
  var taxis: Observable<[NearbyTaxi]> { get }
}

/// The writable side, used only by the worker.
final class MutableNearbyTaxisStream: NearbyTaxisStream {
  private let relay = PublishRelay<[NearbyTaxi]>()

  var taxis: Observable<[NearbyTaxi]> { relay.asObservable() }

  func accept(_ taxis: [NearbyTaxi]) { relay.accept(taxis) }
}

/// Whether the taxis nearby are shown.
enum NearbyTaxisMode: String, Codable, Sendable {
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

  var value: NearbyTaxisMode { relay.value }

  func accept(_ mode: NearbyTaxisMode) { relay.accept(mode) }
}
