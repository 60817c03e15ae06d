/// A part of a RIB that stayed alive after the RIB had left its tree.
///
/// What is detached should be released soon after: what stays alive keeps its memory, and often goes on doing something.
/// `TreeConfiguration.leakDetection` says whether and when a tree looks for this, `TreeConfiguration.onLeak` who is told.
public struct Leak: Sendable, Hashable, CustomStringConvertible {
  /// Which part of a RIB it is.
  public enum Part: String, Sendable, Hashable, Codable {
    /// The router was kept, and with it the whole RIB and everything attached to it.
    case router
    /// The router is gone, and its interactor was kept.
    case interactor
    /// A workflow that is done was kept. The path and the RIB are those that its last step worked on.
    case workflow
  }

  /// Where the RIB stood when it resigned.
  /// Of a workflow: where the RIB stands that its last step worked on.
  public let path: TreePath
  /// Which RIB of the tree it was.
  public let node: NodeID?
  /// Which part of it is alive.
  public let part: Part
  /// The type of that part.
  public let type: String
  /// For how long it has been alive since it resigned, or was done, on the tree's clock.
  public let age: Duration
  /// The bound work of the RIB that has not ended although it was cancelled, and may be what holds it.
  public let work: [String]

  /// One line with everything a developer needs.
  public var description: String {
    "RIBs: \(path)\(node.map { " (\($0))" } ?? ""): \(type) is still alive \(age) after \(end). \(advice)"
  }

  private var end: String { part == .workflow ? "it was done" : "its RIB has resigned for good" }

  private var advice: String {
    if !work.isEmpty {
      return "Work that does not heed its cancellation may hold it: \(work.joined(separator: ", "))."
    }
    switch part {
    case .router:
      return
        "Look for a property that was not set to nil, and for a closure that captures it; set expectsReattachment if it is kept on purpose."
    case .interactor:
      return "Look for a closure or a listener that holds it strongly."
    case .workflow:
      return
        "Look for a step that captures the workflow or one of its steps; set isKeptWhenDone if it is kept to be started again."
    }
  }
}

/// Whether a tree looks for RIBs that stay alive after they have left it.
public enum LeakDetection: Sendable, Hashable {
  /// It does not, and spends nothing on it.
  case off
  /// It looks this long, on its clock, after a RIB has resigned.
  case after(Duration)

  /// After five seconds in debug builds of this package; off in release builds.
  public static var standard: LeakDetection {
    #if DEBUG
      .after(.seconds(5))
    #else
      .off
    #endif
  }
}
