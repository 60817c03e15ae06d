// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

public import RIBs

/// Receives the requests of a rider: signing in, choosing, ordering, paying, cancelling.
///
/// A request that is not possible in the current status has no effect and returns false. So a client may repeat a
/// request whose answer it has lost.
public final class RiderSessionInteractor: Interactor, Saving {
  /// The choices of the order that is open. The RIBs below save the rest.
  public var savedState: OrderChoices {
    get { rider.choices.value }
    set { rider.choices.accept(newValue) }
  }

  weak var router: RiderSessionRouter?
  private let rider: RemoteRider

  init(rider: RemoteRider) {
    self.rider = rider
    super.init()
  }

  /// The status of the session as text, for snapshots of the tree.
  public override var treeSummary: String? { rider.status.value.name }

  /// Shows the app, unless a saved session was restored.
  public override func didBecomeActive() {
    super.didBecomeActive()
    router?.begin()
  }

  /// What the rider sees, with the current status first. Read it with `TreeHost.values`.
  public var status: Observable<OrderStatus> { rider.status.asObservable() }

  /// What the rider sees now.
  public var currentStatus: OrderStatus { rider.status.value }

  /// The ended orders, oldest first: the last hundred.
  public var pastOrders: [PastOrder] { rider.pastOrders.value }

  /// Signs the rider in.
  ///
  /// - Returns: whether the rider was signed out.
  public func signIn() -> Bool {
    guard isActive, rider.status.value == .signedOut else { return false }
    rider.logins.accept(())
    return true
  }

  /// Opens an order, whose choices follow.
  ///
  /// - Parameter choices: those that are made already.
  /// - Returns: whether the rider is signed in and has no order.
  public func openOrder(_ choices: OrderChoices = OrderChoices()) -> Bool {
    guard isActive, rider.status.value.canOrder, router?.linkHandler?.pendingLink == nil else { return false }
    rider.choices.accept(choices)
    rider.orders.accept(())
    setNeedsSave()
    return true
  }

  /// Makes or changes choices of the order that is open. When all are made, the status says the fare.
  ///
  /// - Parameter choices: those that are not nil replace earlier ones.
  /// - Returns: whether an order is open that is not confirmed.
  public func choose(_ choices: OrderChoices) -> Bool {
    guard isActive, rider.isChoosing else { return false }
    rider.choices.accept(rider.choices.value.replaced(by: choices))
    setNeedsSave()
    return true
  }

  /// Places the order at the fare in the status.
  ///
  /// - Returns: whether all choices were made, and the fare was known.
  public func confirm() -> Bool {
    guard isActive, case .confirming = rider.status.value else { return false }
    rider.confirmations.accept(())
    return true
  }

  /// Orders a taxi in one request, at the fare that the quote service returns.
  ///
  /// - Parameters:
  ///   - pickup: the zone to start from; nil for the rider's position.
  ///   - destination: the zone to ride to; nil for a ride by the meter.
  ///   - payment: how the rider pays.
  /// - Returns: whether the rider is signed in and has no order.
  public func requestTaxi(from pickup: String?, to destination: String?, payment: Payment) -> Bool {
    guard isActive, rider.status.value.canOrder, let linkHandler = router?.linkHandler, linkHandler.pendingLink == nil
    else { return false }
    linkHandler.handle(OrderLink(from: pickup, to: destination, payment: payment))
    return true
  }

  /// Pays by other means, after the card of the order was declined.
  ///
  /// - Returns: whether the rider was asked, and `payment` was not declined before.
  public func pay(by payment: Payment) -> Bool {
    guard isActive, case .choosingPayment(let declined, _) = rider.status.value, !declined.contains(payment) else {
      return false
    }
    rider.payments.accept(payment)
    return true
  }

  /// Requests the cancellation of the order. The dispatch service decides; the status says when it is cancelled.
  ///
  /// - Returns: whether the order has not progressed beyond its cancellation, as far as the session knows.
  public func cancel() -> Bool {
    guard isActive, rider.status.value.canCancel else { return false }
    rider.cancellations.accept(())
    return true
  }
}
