// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

/// The choices of the order so far.
protocol OrderDraftStream: AnyObject {
  var draft: Observable<OrderDraft> { get }
}

/// The writable side, used only by Selecting.
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
