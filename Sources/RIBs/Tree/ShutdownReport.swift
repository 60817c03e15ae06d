/// How the shutdown of a tree went.
public struct ShutdownReport: Sendable, Hashable, CustomStringConvertible {
  /// Work that had not ended when the wait was over.
  public struct Stuck: Sendable, Hashable, CustomStringConvertible {
    /// Where the RIB stood that started the work.
    public let path: TreePath
    /// The file and line that started it.
    public let work: String

    public var description: String { "\(path): \(work)" }
  }

  /// The work that did not end in time; empty when everything went as it should.
  public let stuck: [Stuck]

  /// One line for each piece of work that did not end.
  public var description: String {
    if stuck.isEmpty { return "The tree has ended, and all its work." }
    let lines = stuck.map { "\n  \($0)" }.joined()
    return "The tree has ended, but this work does not heed its cancellation:" + lines
  }
}
