// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import RIBs

extension WallTime {
  /// Converts a date, rounded to the nearest microsecond.
  ///
  /// Exact to the microsecond for the years 1865 to 2137: a time that became a date is the same time again. A date beyond
  /// the range of `WallTime` becomes its bound, and a date that is not a number its earliest time.
  public init(_ date: Date) {
    let microseconds = (date.timeIntervalSinceReferenceDate * 1_000_000).rounded()
    let reference = Int64(Date.timeIntervalBetween1970AndReferenceDate) * 1_000_000
    guard !microseconds.isNaN else {
      self.init(microsecondsSince1970: .min)
      return
    }
    // The nearest number that a `Double` has to the bound is beyond it.
    let sinceReference = Int64(exactly: microseconds) ?? (microseconds < 0 ? .min : .max)
    let (sum, overflows) = sinceReference.addingReportingOverflow(reference)
    self.init(microsecondsSince1970: sinceReference == .min ? .min : overflows ? .max : sum)
  }
}

extension Date {
  /// Converts a wall time, to the precision of a date: exact to the microsecond for the years 1865 to 2137.
  public init(_ time: WallTime) {
    let reference = Int64(Date.timeIntervalBetween1970AndReferenceDate) * 1_000_000
    let (difference, overflows) = time.microsecondsSince1970.subtractingReportingOverflow(reference)
    self.init(timeIntervalSinceReferenceDate: Double(overflows ? .min : difference) / 1_000_000)
  }
}

extension TaskOwner {
  /// Waits until a date of the tree's wall clock, in bound work, to the microsecond.
  ///
  /// - Parameter date: the date to wait for; see `sleep(until:)` with a `WallTime`.
  /// - Throws: a `CancellationError` if the calling task is cancelled.
  public final nonisolated(nonsending) func sleep(until date: Date) async throws {
    try await sleep(until: WallTime(date))
  }
}
