import RIBs
import RIBsTesting

@testable import TaxiOrder

extension TreeConfiguration {
  /// The configuration of a tree whose fold is compared with it.
  static var folded: TreeConfiguration { TreeConfiguration(inspector: TestTree.inspector) }
}

extension OrderRun {
  /// An order in a tree whose fold is compared with it.
  static func folded(trip: Trip, seed: UInt64, fault: Fault? = nil, ribCounter: RIBCounter) -> OrderRun {
    var order = OrderRun(trip: trip, seed: seed, fault: fault, ribCounter: ribCounter)
    order.inspector = TestTree.inspector
    return order
  }
}

extension OrderSeries {
  /// Orders in trees whose folds are compared with them.
  static func folded(concurrency: Int, seed: UInt64, faults: FaultInjection = .none) -> OrderSeries {
    var series = OrderSeries(concurrency: concurrency, seed: seed, faults: faults)
    series.inspector = TestTree.inspector
    return series
  }
}
