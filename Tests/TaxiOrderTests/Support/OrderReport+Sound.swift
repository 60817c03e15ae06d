// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

@testable import TaxiOrder
@testable import TaxiSimulation

extension OrderReport {
  /// The report of an order that left nothing behind.
  static func sound(_ outcome: OrderOutcome, requests: Int) -> OrderReport {
    OrderReport(outcome: outcome, requests: requests, requestsFromInactive: 0, leaked: 0)
  }
}
