/// The totals of a series of orders.
package struct SeriesSummary: Hashable, Sendable {
  package private(set) var completed = 0
  package private(set) var cancelled = 0
  package private(set) var failed = 0
  package var rejectedRows = 0
  /// In cents. 128 bits suffice for any number of orders.
  package private(set) var totalCharged: Int128 = 0
  package private(set) var requests = 0
  package private(set) var requestsFromInactive = 0
  package private(set) var leaked = 0
  package var peakLiveRIBs = 0
  package var wall = Duration.zero

  package init() {}

  /// The number of orders, without rejected rows.
  package var orders: Int { completed + cancelled + failed }

  mutating func add(_ report: OrderReport) {
    switch report.outcome {
    case .completed(let charged):
      completed += 1
      totalCharged += Int128(charged.count)
    case .failed: failed += 1
    case .cancelled: cancelled += 1
    }
    requests += report.requests
    requestsFromInactive += report.requestsFromInactive
    leaked += report.leaked
  }
}
