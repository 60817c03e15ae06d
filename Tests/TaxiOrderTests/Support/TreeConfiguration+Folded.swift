// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting
import TestSupport

@testable import TaxiOrder
@testable import TaxiSimulation

/// The observer that compares the folds of trees that the test does not drive, also from keyframes in the middle of a run.
private var foldChecker: (any TreeObserver)? { (TestTree.inspector as? FoldChecker)?.readingKeyframes(each: 40) }

extension TreeConfiguration {
  /// The configuration of a tree whose fold is compared with it.
  static var folded: TreeConfiguration { TreeConfiguration(inspector: foldChecker) }
}

extension OrderRun {
  /// An order in a tree whose fold is compared with it.
  static func folded(trip: Trip, seed: UInt64, fault: Fault? = nil, ribCounter: RIBCounter) -> OrderRun {
    var order = OrderRun(trip: trip, seed: seed, fault: fault, ribCounter: ribCounter)
    order.inspector = foldChecker
    return order
  }
}

extension OrderSeries {
  /// Orders in trees whose folds are compared with them.
  static func folded(concurrency: Int, seed: UInt64, faults: FaultInjection = .none) -> OrderSeries {
    var series = OrderSeries(concurrency: concurrency, seed: seed, faults: faults)
    series.inspector = foldChecker
    return series
  }
}
