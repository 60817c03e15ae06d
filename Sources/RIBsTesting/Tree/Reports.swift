internal import RIBs

/// What a tree reports and no test has expected yet.
final class Reports<Report: Sendable>: Sendable {
  private let reports = Locked<[Report]>([])

  func add(_ report: Report) { reports.withLock { $0.append(report) } }

  func take() -> [Report] {
    reports.withLock { reports in
      defer { reports = [] }
      return reports
    }
  }
}
