// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TaxiOrder
@testable import TaxiSimulation
@testable import taxi

@Suite("The summary of a series")
struct SummaryTests {
  @Test("is printed as text and as JSON, with money in decimals")
  func summaries() {
    var summary = SeriesSummary()
    summary.add(
      OrderReport(outcome: .completed(charged: Cents(1205)), requests: 11, requestsFromInactive: 1, leaked: 2))
    summary.add(OrderReport(outcome: .failed(reason: "no"), requests: 1, requestsFromInactive: 0, leaked: 0))
    summary.add(OrderReport(outcome: .cancelled, requests: 3, requestsFromInactive: 0, leaked: 0))
    summary.rejectedRows = 4
    summary.peakLiveRIBs = 9
    summary.wall = .milliseconds(1500)
    #expect(
      summary.text == """
        orders                    3
        completed                 1
        cancelled                 1
        failed                    1
        rejectedRows              4
        totalCharged          12.05
        requests                 15
        requestsFromInactive      1
        leaked                    2
        peakLiveRIBs              9
        wallSeconds           1.500
        ordersPerSecond         2.0

        """)
    #expect(
      summary.json == """
        {"orders":3,"completed":1,"cancelled":1,"failed":1,"rejectedRows":4,"totalCharged":"12.05","requests":15,\
        "requestsFromInactive":1,"leaked":2,"peakLiveRIBs":9,"wallSeconds":1.500,"ordersPerSecond":2.0}

        """)
  }
}
