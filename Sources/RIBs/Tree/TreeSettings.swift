// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// What the tree reads of its configuration. Parts of the tree have more settings, which they receive when they are
/// created.
package protocol TreeSettings: Sendable {
  var name: String? { get }
  var labels: [String: String] { get }
  var clock: any Clock<Duration> { get }
  var wallClock: WallTime.Clock { get }
  var randomSeed: UInt64? { get }
  var workContext: BoundWork.Context { get }
  var aroundWork: (@Sendable (_ event: TreeEvent, _ start: () -> Void) -> Void)? { get }
  var onFailure: (@Sendable (TreeFailure) -> Void)? { get }
  var onMisuse: (@Sendable (Misuse) -> Void)? { get }
  var onEnd: (@Sendable (TreeEnded.Reason) -> Void)? { get }
  /// The executor of work that leaves the tree; nil for the global executor.
  var offTreeExecutor: (any TaskExecutor)? { get }
}
