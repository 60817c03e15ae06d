// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

extension TurnWatchdog {
  /// A turn of a tree that took longer than `TreeConfiguration.turnLimit`.
  ///
  /// A turn runs on the tree's actor without interruption: a call of `perform`, a step of bound work between two
  /// `await`s, the delivery of a result, the launch, or the end of the tree. Nothing else of the tree runs meanwhile.
  public struct SlowTurn: Sendable, Hashable, CustomStringConvertible {
    /// The path of the RIB that the bound work belongs to; for other turns that of the root.
    public let path: TreePath
    /// What ran: the key of the bound work, if any, and the file and line that started it; `perform` with its call
    /// site; the launch or the end of the tree.
    public let work: String
    /// The RIB whose resignation took more than half of the turn, if there is one.
    public let resigned: TreePath?
    /// How long the turn took, on the tree's clock.
    public let duration: Duration
    let limit: Duration

    /// The turn as one line: path, work, duration and advice.
    public var description: String {
      let place = resigned.map { ", mostly while \($0) resigned" } ?? ""
      return "RIBs: \(path): \(work) occupied the tree for \(duration)\(place); the limit is \(limit). "
        + "Move code that computes or blocks off the tree, with run or inParallel."
    }
  }
}
