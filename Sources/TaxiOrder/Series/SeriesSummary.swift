/// The totals of a series of orders.
struct SeriesSummary: Hashable, Sendable {
  private(set) var completed = 0
  private(set) var cancelled = 0
  private(set) var failed = 0
  var rejectedRows = 0
  /// In cents. 128 bits suffice for any number of orders.
  private(set) var totalCharged: Int128 = 0
  private(set) var requests = 0
  private(set) var requestsFromInactive = 0
  private(set) var leaked = 0
  var peakLiveRIBs = 0
  var wall = Duration.zero

  /// The number of orders, without rejected rows.
  var orders: Int { completed + cancelled + failed }

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
