// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// Writes the failures of one tree that the program does not handle to standard error, with a bound over time.
///
/// A failure that repeats, as while a service is down, must not fill the log of a server with thousands of trees. In a
/// period, the first failures are written, and the others are counted. A note precedes the first that is only counted,
/// and the count follows at the next failure after the period, or when the tree ends. Periods double while they are
/// exceeded, so a tree that fails without end writes about a hundred lines in the first hour, and a dozen in each later
/// one.
///
/// The failure that ends the tree is always written.
package final class FailureLog {
  /// The number of failures that are written in a period.
  package static let limit = 10
  package static let shortestPeriod = Duration.seconds(10)
  package static let longestPeriod = Duration.seconds(3600)

  /// The name of the tree.
  private let tree: String
  private var period = FailureLog.shortestPeriod
  /// When the period ends, on the tree's clock.
  private var end = Duration.zero
  private var writtenCount = FailureLog.limit
  private var unwrittenCount = 0

  package init(of tree: String) { self.tree = tree }

  /// The lines to write for a failure.
  ///
  /// - Parameters:
  ///   - failure: the failure in words.
  ///   - endsTree: whether it has ended the tree.
  ///   - time: now, on the tree's clock.
  package func lines(for failure: String, endsTree: Bool = false, at time: Duration) -> [String] {
    if endsTree { return lastLines() + [failure] }
    var lines: [String] = []
    if time >= end {
      let continues = unwrittenCount > 0 && time < end + period
      period = continues ? min(period * 2, FailureLog.longestPeriod) : FailureLog.shortestPeriod
      end = time + period
      writtenCount = 0
      lines = lastLines()
    }
    if writtenCount < FailureLog.limit {
      writtenCount += 1
      lines.append(failure)
    } else {
      if unwrittenCount == 0 { lines.append(note(at: time)) }
      unwrittenCount += 1
    }
    return lines
  }

  /// The count of the failures that were not written; nothing if all were.
  package func lastLines() -> [String] {
    guard unwrittenCount > 0 else { return [] }
    defer { unwrittenCount = 0 }
    return ["RIBs: \(tree): \(unwrittenCount) more failure\(unwrittenCount == 1 ? " was" : "s were") not written."]
  }

  private func note(at time: Duration) -> String {
    "RIBs: \(tree): \(FailureLog.limit) failures were written. For the next \(end - time), more are only counted. "
      + "Set TreeConfiguration.onFailure to receive all."
  }
}
