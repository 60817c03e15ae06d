/// Something worth telling about an order while it runs.
enum Narration {
  /// The order is about to move on to a state.
  case transition(OrderState)
  /// The order has moved on to a state, and what belongs to it is attached.
  case stage(OrderState)
  /// A RIB has something to show.
  case line(String)
}
