/// How the shutdown of a tree went.
public struct ShutdownReport: Sendable, Hashable, CustomStringConvertible {
  /// Work that had not ended when the wait was over.
  public struct UnfinishedTask: Sendable, Hashable, CustomStringConvertible {
    /// Where the RIB stood that the work belongs to.
    public let path: TreePath
    /// Which RIB of the tree it was: it tells siblings apart. Nil for work that waits for a RIB to become active.
    public let node: NodeID?
    /// The work: its name, if it has one, and the file and line that started it.
    public let work: String
    /// How long the work has gone on since its RIB resigned, on the tree's clock.
    public let age: Duration?

    public var description: String {
      var text = "\(path)"
      if let node { text += " (\(node))" }
      text += ": \(work)"
      if let age { text += ", \(age.inMilliseconds) after its RIB resigned" }
      return text
    }
  }

  /// A tree that did not answer before the wait was over, because something held its thread.
  ///
  /// A call, a callback or bound work that computes or blocks can't be cut short: the tree ends when it returns.
  public struct BusyTree: Sendable, Hashable, CustomStringConvertible {
    /// The name of the root RIB.
    public let root: String
    /// What the tree is known to do.
    public let activity: String
    /// For how long it has not answered at least.
    public let time: Duration

    public var description: String { "\(root) \(activity), for \(time.inMilliseconds) at least" }
  }

  /// The work that did not end in time; empty when everything went as it should.
  public let unfinishedTasks: [UnfinishedTask]
  /// The tree, if it did not answer in time; what it left is not known then.
  public let busy: BusyTree?

  init(unfinishedTasks: [UnfinishedTask], busy: BusyTree? = nil) {
    self.unfinishedTasks = unfinishedTasks
    self.busy = busy
  }

  /// One line for each piece of work that did not end.
  public var description: String {
    if let busy { return "The tree did not answer in time: \(busy)." }
    if unfinishedTasks.isEmpty { return "The tree has ended, and all its work." }
    let lines = unfinishedTasks.map { "\n  \($0)" }.joined()
    return "The tree has ended, but this work does not respect its cancellation:" + lines
  }
}

extension Duration {
  /// The time without what is below a millisecond.
  fileprivate var inMilliseconds: Duration {
    let (seconds, attoseconds) = components
    return .seconds(seconds) + .milliseconds(attoseconds / 1_000_000_000_000_000)
  }
}
