// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// What a tree reads of its configuration as long as it exists. What else is configured, the parts of the tree receive when
/// they are created.
package final class TreeSettings: Sendable {
  /// The name and the labels of the tree, if it has any.
  let identity: TreeIdentity?
  package let clock: any Clock<Duration>
  package let wallClock: WallTime.Clock
  let randomSeed: UInt64?
  let workContext: BoundWork.Context
  let aroundWork: (@Sendable (_ event: TreeEvent, _ start: () -> Void) -> Void)?
  let onFailure: (@Sendable (TreeFailure) -> Void)?
  let onMisuse: (@Sendable (Misuse) -> Void)?
  /// Called with the tree's actor, if it still exists.
  let onEnd: @Sendable (TreeEnded.Reason, (any Actor)?) -> Void
  /// The executor of work that leaves the tree; nil for the global executor.
  let offTreeExecutor: (any TaskExecutor)?

  init(
    identity: TreeIdentity?, clock: any Clock<Duration>, wallClock: WallTime.Clock, randomSeed: UInt64?,
    workContext: BoundWork.Context, aroundWork: (@Sendable (_ event: TreeEvent, _ start: () -> Void) -> Void)?,
    onFailure: (@Sendable (TreeFailure) -> Void)?, onMisuse: (@Sendable (Misuse) -> Void)?,
    onEnd: @escaping @Sendable (TreeEnded.Reason, (any Actor)?) -> Void, offTreeExecutor: (any TaskExecutor)?
  ) {
    self.identity = identity
    self.clock = clock
    self.wallClock = wallClock
    self.randomSeed = randomSeed
    self.workContext = workContext
    self.aroundWork = aroundWork
    self.onFailure = onFailure
    self.onMisuse = onMisuse
    self.onEnd = onEnd
    self.offTreeExecutor = offTreeExecutor
  }
}
