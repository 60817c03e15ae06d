// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs
internal import TaxiOrder

/// The memory that one order takes while it runs.
public struct OrderFootprint: Sendable {
  /// The maximum number of RIBs of an order that were alive at the same time.
  public let peakRIBs: Int
  /// The maximum size of the heap during an order, less its size before the order, in bytes.
  public let peakHeap: Int

  /// Runs orders one after another, each in its own tree.
  ///
  /// - Parameters:
  ///   - orders: the number of orders.
  ///   - heap: returns the current size of the heap in bytes. Called before each order, and after each start and
  ///     end of bound work. The default measures nothing.
  public init(orders: Int, heap: @escaping @Sendable () -> Int = { 0 }) async {
    var trips = GeneratedTrips(count: orders, seed: 1)
    let ribs = RIBCounter()
    var peakHeap = 0
    while case .trip(let trip) = trips.next() {
      let before = heap()
      let peak = Locked(before)
      var order = OrderRun(trip: trip, seed: 1, ribCounter: ribs)
      order.checksSenders = false
      order.onEvent = { peak.withLock { $0 = max($0, heap()) } }
      _ = await order.run()
      peakHeap = max(peakHeap, peak.withLock { $0 } - before)
    }
    peakRIBs = ribs.peak
    self.peakHeap = peakHeap
  }
}
