internal import TaxiOrder

/// A writer of an order's course.
protocol OrderWriter: AnyObject {
  /// Writes an event of a running order.
  func show(_ event: WatchedOrder.Event, of order: WatchedOrder)

  /// Writes the result of an order.
  func show(_ report: OrderReport)
}

extension OrderWriter {
  /// Runs an order to its end, and writes its course.
  @MainActor
  func show(_ order: WatchedOrder) async -> OrderReport {
    let report = await order.run { event in self.show(event, of: order) }
    show(report)
    return report
  }
}
