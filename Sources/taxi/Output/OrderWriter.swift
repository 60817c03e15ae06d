// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import TaxiOrder
internal import TaxiSimulation

/// A writer of an order's course.
protocol OrderWriter: AnyObject {
  /// Writes an event of a running order.
  func show(_ event: WatchedOrder.Event, of order: WatchedOrder)

  /// Writes the result of an order.
  func show(_ report: OrderReport)
}

extension OrderWriter {
  /// Runs an order and writes its course.
  ///
  /// - Parameters:
  ///   - order: the order.
  ///   - lastStage: the stage at which the order is stopped when it is saved; nil to run it to its end.
  /// - Throws: if the saved order can't be restored, or the order can't be saved.
  @MainActor
  func show(_ order: WatchedOrder, until lastStage: Stage?) async throws {
    let report = try await order.run { event in
      self.show(event, of: order)
      if case .narration(.stage(let stage)) = event, stage == lastStage { order.stopWhenSaved() }
    }
    if !order.isInterrupted { show(report) }
  }
}
