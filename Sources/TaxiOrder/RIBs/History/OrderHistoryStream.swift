// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

/// The past orders, oldest first.
protocol OrderHistoryStream: AnyObject {
  var orders: Observable<[PastOrder]> { get }
}

/// The writable side, used only by LoggedIn.
final class MutableOrderHistoryStream: OrderHistoryStream {
  private let relay = BehaviorRelay<[PastOrder]>(value: [])

  var orders: Observable<[PastOrder]> { relay.asObservable() }

  var value: [PastOrder] { relay.value }

  func accept(_ orders: [PastOrder]) { relay.accept(orders) }
}
