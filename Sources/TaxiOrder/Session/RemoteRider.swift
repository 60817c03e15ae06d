// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

/// A rider whose requests come from outside the tree, as in a server, and not from timers.
final class RemoteRider {
  let logins = PublishRelay<Void>()
  /// Requests to open an order, whose choices follow.
  let orders = PublishRelay<Void>()
  /// The choices of the order that is open.
  let choices = BehaviorRelay(value: OrderChoices())
  /// Whether the choices have an effect: an order is open that is not confirmed, and that was not requested by a link.
  var isChoosing = false
  let confirmations = PublishRelay<Void>()
  /// The means of payment chosen after another was declined.
  let payments = PublishRelay<Payment>()
  let cancellations = PublishRelay<Void>()
  /// What the rider sees.
  let status = BehaviorRelay<OrderStatus>(value: .signedOut)
  /// The ended orders, oldest first.
  let pastOrders = BehaviorRelay<[PastOrder]>(value: [])
}

extension RemoteRider? {
  /// How long the rider takes: a remote rider no time, because its requests say when.
  func time(_ simulated: Duration) -> Duration { self == nil ? simulated : .zero }
}
