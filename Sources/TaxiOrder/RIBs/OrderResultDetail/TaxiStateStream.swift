internal import RIBs

/// How far the taxi is: what the children of OrderResultDetail follow.
protocol TaxiStateStream: AnyObject {
  var state: Observable<TaxiState> { get }
}

/// The writing end, which only OrderResultDetail has.
final class MutableTaxiStateStream: TaxiStateStream {
  private let relay: BehaviorRelay<TaxiState>

  init(_ state: TaxiState) { relay = BehaviorRelay(value: state) }

  var state: Observable<TaxiState> { relay.asObservable() }

  func accept(_ state: TaxiState) { relay.accept(state) }
}
