internal import RIBs

/// The order as far as the rider has put it together.
protocol OrderDraftStream: AnyObject {
  var draft: Observable<OrderDraft> { get }
}

/// The writing end, which only Selecting has.
final class MutableOrderDraftStream: OrderDraftStream {
  private let relay = BehaviorRelay(value: OrderDraft())

  var draft: Observable<OrderDraft> { relay.asObservable() }

  var value: OrderDraft { relay.value }

  func update(_ change: (inout OrderDraft) -> Void) {
    var draft = relay.value
    change(&draft)
    relay.accept(draft)
  }
}
