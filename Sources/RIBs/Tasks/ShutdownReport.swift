// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// The result of shutting down a tree.
public struct ShutdownReport: Sendable, Hashable, CustomStringConvertible {
  /// Work that had not ended when the wait ended.
  public struct UnfinishedTask: Sendable, Hashable, CustomStringConvertible {
    /// The path of the RIB that the work belongs to.
    public let path: TreePath
    /// The RIB's identity in the tree, which distinguishes siblings. Nil for work that waits for a RIB to become
    /// active.
    public let node: NodeID?
    /// The key of the work, if it has one, and the file and line that started it.
    public let work: String
    /// How long the work has continued since its RIB resigned, on the tree's clock.
    public let age: Duration?

    public var description: String {
      var text = "\(path)"
      if let node { text += " (\(node))" }
      text += ": \(work)"
      if let age { text += ", \(age.inMilliseconds) after its RIB resigned" }
      return text
    }
  }

  /// A tree that did not answer within the timeout, because code of its own occupies its actor.
  ///
  /// A call, a callback or bound work that computes or blocks can't be interrupted: the tree ends when it returns.
  public struct BusyTree: Sendable, Hashable, CustomStringConvertible {
    /// The name of the root RIB, after that of the tree if it has one: `order-17:Session`.
    public let root: String
    /// What the tree runs: a call of `perform` with its call site, bound work with the file and line that started it,
    /// the end of the tree. A step of bound work after an `await` is named only while `TreeConfiguration.turnLimit` or
    /// `TreeConfiguration.watchdog` is set.
    public let activity: String
    /// The RIB that resigns, or that the bound work belongs to. Nil if that is unknown: the bound work of a tree with
    /// neither `TreeConfiguration.turnLimit` nor `TreeConfiguration.watchdog`, and calls.
    public let path: TreePath?
    /// Whether that RIB resigns.
    let isResigning: Bool
    /// How long the tree has been busy with it, in real time, if it is known when that began: while the tree ends, and
    /// while `TreeConfiguration.turnLimit` is set. At least the timeout, during which the tree did not answer, or the time
    /// for which a `TurnWatchdog` has seen it.
    public let time: Duration

    public var description: String {
      let place = path.map { isResigning ? ", in which \($0) resigns" : " of \($0)" } ?? ""
      // Zero if nothing measures it.
      let duration = time == .zero ? "" : ", for \(time.inMilliseconds) at least"
      return "\(root) runs \(activity)\(place)\(duration)"
    }

    /// The same, after it has run for another time.
    func after(_ time: Duration) -> BusyTree {
      BusyTree(root: root, activity: activity, path: path, isResigning: isResigning, time: max(time, self.time))
    }
  }

  /// The work that did not end in time; empty if all of it did.
  public let unfinishedTasks: [UnfinishedTask]
  /// The tree, if it did not answer in time because it runs code of its own. Its unfinished work is unknown then.
  public let busy: BusyTree?

  init(unfinishedTasks: [UnfinishedTask], busy: BusyTree? = nil) {
    self.unfinishedTasks = unfinishedTasks
    self.busy = busy
  }

  /// The report as text, with one line for each piece of unfinished work.
  public var description: String {
    if let busy { return "The tree did not answer in time: \(busy)." }
    if unfinishedTasks.isEmpty { return "The tree has ended, and all its work." }
    let lines = unfinishedTasks.map { "\n  \($0)" }.joined()
    return "The tree has ended, but this work does not respect its cancellation:" + lines
  }
}

extension Duration {
  /// The duration rounded down to the millisecond.
  fileprivate var inMilliseconds: Duration {
    let (seconds, attoseconds) = components
    return .seconds(seconds) + .milliseconds(attoseconds / 1_000_000_000_000_000)
  }
}
