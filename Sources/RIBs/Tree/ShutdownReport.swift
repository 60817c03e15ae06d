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

  /// A tree that did not answer within the timeout, because something blocked its thread.
  ///
  /// A call, a callback or bound work that computes or blocks can't be interrupted: the tree ends when it returns.
  public struct BusyTree: Sendable, Hashable, CustomStringConvertible {
    /// The name of the root RIB.
    public let root: String
    /// The last known activity of the tree.
    public let activity: String
    /// The minimum time for which it has not answered.
    public let time: Duration

    public var description: String { "\(root) \(activity), for \(time.inMilliseconds) at least" }
  }

  /// The work that did not end in time; empty if all of it did.
  public let unfinishedTasks: [UnfinishedTask]
  /// The tree, if it did not answer in time. Its unfinished work is unknown then.
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
