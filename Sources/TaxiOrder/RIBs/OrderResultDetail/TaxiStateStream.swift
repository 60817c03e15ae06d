// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

/// The state of the taxi, observed by the children of OrderResultDetail.
protocol TaxiStateStream: AnyObject {
  var state: Observable<TaxiState> { get }
}

/// The writable side, used only by OrderResultDetail.
final class MutableTaxiStateStream: TaxiStateStream {
  private let relay: BehaviorRelay<TaxiState>

  init(_ state: TaxiState) { relay = BehaviorRelay(value: state) }

  var state: Observable<TaxiState> { relay.asObservable() }

  var value: TaxiState { relay.value }

  func accept(_ state: TaxiState) { relay.accept(state) }
}
