/// A writer of an order's course.
protocol Telling: AnyObject {
  /// Writes an event of a running order.
  func tell(_ happening: WatchedOrder.Happening, of order: WatchedOrder)

  /// Writes the result of an order.
  func tell(_ report: OrderReport)
}

extension Telling {
  /// Runs an order to its end, and writes its course.
  @MainActor
  func tell(_ order: WatchedOrder) async -> OrderReport {
    let report = await order.run { happening in self.tell(happening, of: order) }
    tell(report)
    return report
  }
}
