// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RIBs
@testable import TaxiOrder
@testable import TaxiSimulation

@Suite("What an order takes")
struct OrderFootprintTests {
  @Test("The heap is read while the RIBs of an order are alive")
  func readsTheHeapDuringAnOrder() async {
    // The heap grows with each reading, so the peak is the number of readings after the first.
    let readings = Locked(0)
    let footprint = await OrderFootprint(orders: 1) {
      readings.withLock {
        $0 += 1
        return $0
      }
    }
    #expect(footprint.peakHeap == readings.withLock { $0 } - 1)
    #expect(footprint.peakHeap > 10)
    #expect(footprint.peakRIBs > 5)
  }

  @Test("RIBs of one order at a time are counted")
  func countsRIBsOfOneOrder() async {
    let one = await OrderFootprint(orders: 1).peakRIBs
    #expect(await OrderFootprint(orders: 10).peakRIBs < 2 * one)
  }

  @Test("An order that does not check its senders makes the same requests")
  func makesTheSameRequestsWithoutChecks() async {
    var order = OrderRun(trip: .generated(number: 1, seed: 1), seed: 1, ribCounter: RIBCounter())
    let checked = await order.run()
    order.checksSenders = false
    let unchecked = await order.run()
    #expect((unchecked.requests, unchecked.outcome) == (checked.requests, checked.outcome))
    #expect(checked.requestsFromInactive == 0)
  }
}
