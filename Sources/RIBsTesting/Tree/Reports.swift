// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

/// Reports of a tree that the test has not taken or expected yet.
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
