// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// A tree of a recording.
public struct RecordedTree: Sendable, Hashable, Identifiable {
  /// The ID of the tree in its process, as in `InspectedTree`.
  public let id: InspectedTree.ID
  /// The name of its root RIB, after the name of the tree, if it has one: `order-17:Root`.
  public internal(set) var name: String
  /// The labels of the tree, from `TreeConfiguration.labels`.
  public internal(set) var labels: [String: String]
  /// When the tree was launched, in seconds since 1970.
  public internal(set) var launched: Double
  /// The recorded time, since the launch of the tree.
  public internal(set) var time: ClosedRange<Duration>
  /// Whether the recording contains the end of the tree.
  public internal(set) var hasEnded = false
  /// The number of recorded events.
  public internal(set) var events = 0
  /// The number of events that were lost.
  public internal(set) var lostEvents = 0

  /// When the tree was launched, since the start of a recording. Negative if it was launched before.
  public func launch(in recording: TreeRecording) -> Duration { .seconds(launched - recording.start) }
}
