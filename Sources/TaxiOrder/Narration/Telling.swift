/// A way to tell an order.
protocol Telling: AnyObject {
  /// Something happens.
  func tell(_ happening: WatchedOrder.Happening, of order: WatchedOrder)

  /// The order has ended.
  func tell(_ report: OrderReport)
}

extension Telling {
  /// Runs an order to its end, and tells it.
  @MainActor
  func tell(_ order: WatchedOrder) async -> OrderReport {
    let report = await order.run { happening in self.tell(happening, of: order) }
    tell(report)
    return report
  }
}
