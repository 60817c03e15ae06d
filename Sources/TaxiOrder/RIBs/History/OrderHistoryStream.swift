internal import RIBs

/// The orders that have ended, the oldest first.
protocol OrderHistoryStream: AnyObject {
  var orders: Observable<[PastOrder]> { get }
}

/// The writing end, which only LoggedIn has.
final class MutableOrderHistoryStream: OrderHistoryStream {
  private let relay = BehaviorRelay<[PastOrder]>(value: [])

  var orders: Observable<[PastOrder]> { relay.asObservable() }

  func append(_ order: PastOrder) { relay.accept(relay.value + [order]) }
}
