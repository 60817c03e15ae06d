// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RIBs
import RIBsInspector

/// A recording that the page shows.
struct ServedRecording: Sendable {
  /// The key of the recording among processes.
  static let key = "recording"
  /// The maximum number of events that the page gets at once.
  static let mostEvents = 20_000

  let recording: TreeRecording

  /// The recorded trees in the list of the page.
  ///
  /// - Parameter version: the version that the page has; nil if it has none. The list does not change.
  func trees(since version: Int?) -> TreeLists.Changes {
    version == 1
      ? TreeLists.Changes(version: 1, added: [], ended: [])
      : TreeLists.Changes(version: 1, trees: recording.trees.map(ServedRecording.listed))
  }

  /// A recorded tree in the list of the page.
  static func listed(_ tree: RecordedTree) -> TreeLists.Tree {
    TreeLists.Tree(
      id: tree.id, name: tree.name, labels: tree.labels, launched: Int64(clamping: tree.launched * 1_000),
      age: (tree.time.upperBound - tree.time.lowerBound) / .milliseconds(1))
  }

  /// The maximum number of gaps between the events of a part.
  static let mostGaps = 32

  /// A part of the recording of a tree.
  struct Part: Encodable {
    /// The recorded time of the tree, and that of this part, in nanoseconds.
    var start: Int64
    var end: Int64
    let from: Int64
    let to: Int64
    /// The tree before the first of the events; none if it was not launched yet.
    let snapshot: TreeSnapshot?
    let events: [InspectedEvent]
    /// The tree after each event before which others are missing.
    let snapshots: [Moment]
    /// The tree at the end of this part, if events may be missing before it.
    let last: TreeSnapshot?
    let hasEnded: Bool
    let lostEvents: Int
    let problems: [String]
  }

  /// A tree after an event.
  struct Moment: Encodable {
    let number: Int
    /// None if the tree has no RIBs then.
    let snapshot: TreeSnapshot?
  }

  /// The part of a tree's recording around a time.
  ///
  /// - Parameters:
  ///   - time: in nanoseconds since the launch of the tree; nil for the end.
  ///   - most: the maximum number of events in it.
  func part(of tree: RecordedTree, around time: Int64?, most: Int = ServedRecording.mostEvents) throws -> Part {
    let (id, start, end) = (tree.id, tree.time.lowerBound, tree.time.upperBound)
    let middle = try time.map { try recording.eventCount(of: id, upTo: .nanoseconds($0)) } ?? tree.events
    let first = max(0, min(middle - most / 2, tree.events - most))
    let all = try recording.events(of: id, at: first..<min(first + most, tree.events))
    let kept = ServedRecording.kept(of: all, around: middle - first)
    let isFirst = all.isEmpty || first + kept.lowerBound == 0
    let isLast = all.isEmpty || first + kept.upperBound >= tree.events
    let from = isFirst ? start : all[kept.lowerBound].time
    let to = isLast ? end : all[kept.upperBound - 1].time
    let snapshot: TreeSnapshot?
    if let event = all[kept].first {
      snapshot = try recording.snapshot(of: id, after: isFirst ? event.number - 1 : event.number)
    } else {
      snapshot = try recording.snapshot(of: id, at: start)
    }
    var snapshots: [Moment] = []
    for (event, next) in zip(all[kept], all[kept].dropFirst()) where event.number + 1 < next.number {
      snapshots.append(Moment(number: next.number, snapshot: try recording.snapshot(of: id, after: next.number)))
    }
    return Part(
      start: nanoseconds(start), end: nanoseconds(end), from: nanoseconds(from), to: nanoseconds(to),
      snapshot: snapshot, events: Array(isFirst ? all[kept] : all[kept].dropFirst()), snapshots: snapshots,
      last: tree.lostEvents > 0 ? try recording.snapshot(of: id, at: to) : nil,
      hasEnded: tree.hasEnded, lostEvents: tree.lostEvents, problems: recording.problems)
  }

  /// The events around an index, so that there are not too many gaps between them.
  private static func kept(of events: [InspectedEvent], around middle: Int) -> Range<Int> {
    let gaps = events.indices.dropFirst().filter { events[$0 - 1].number + 1 < events[$0].number }
    guard gaps.count > mostGaps else { return 0..<events.count }
    let place = gaps.firstIndex { $0 >= middle } ?? gaps.count
    let first = max(0, min(place - mostGaps / 2, gaps.count - mostGaps))
    return (first == 0 ? 0 : gaps[first - 1])..<(first + mostGaps < gaps.count ? gaps[first + mostGaps] : events.count)
  }

  private func nanoseconds(_ duration: Duration) -> Int64 { duration.nanoseconds }
}

extension Int64 {
  /// The nearest integer of a number from elsewhere; zero for none.
  init(clamping number: Double) {
    self = number.isNaN ? 0 : number >= 0x1p63 ? .max : number <= -0x1p63 ? .min : Int64(number)
  }
}

extension Duration {
  /// The whole nanoseconds; the longest ones for durations of centuries.
  var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, overflows) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
    return isTooLong || overflows ? (seconds < 0 ? .min : .max) : sum
  }
}
