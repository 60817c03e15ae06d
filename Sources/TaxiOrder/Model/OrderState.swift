/// How far an order is.
enum OrderState: Hashable, Sendable {
  case selecting
  case dispatching(OrderDraft)
  case underWay(OrderDraft, Assignment)
  case settling(Ride, Payment)
  case receipt(PaidBill)
  case ended(OrderOutcome)

  /// What moves an order on.
  enum Event: Hashable, Sendable {
    case confirmed(OrderDraft)
    case assigned(Assignment)
    case rideEnded(Ride)
    case settled(PaidBill)
    case receiptClosed
    case failed(String)
  }

  /// The state that follows; nil where an event means nothing.
  func next(after event: Event) -> OrderState? {
    switch (self, event) {
    case (.ended, _): nil
    case (_, .failed(let reason)): .ended(.failed(reason))
    case (.selecting, .confirmed(let draft)): .dispatching(draft)
    case (.dispatching(let draft), .assigned(let assignment)): .underWay(draft, assignment)
    case (.underWay(let draft, _), .rideEnded(let ride)): .settling(ride, draft.payment)
    case (.settling, .settled(let paid)): .receipt(paid)
    case (.receipt(let paid), .receiptClosed): .ended(.completed(charged: paid.bill.total))
    default: nil
    }
  }

  /// One word for it.
  var name: String {
    switch self {
    case .selecting: "selecting"
    case .dispatching: "dispatching"
    case .underWay: "under way"
    case .settling: "settling"
    case .receipt: "receipt"
    case .ended(.completed): "completed"
    case .ended(.failed): "failed"
    }
  }
}
