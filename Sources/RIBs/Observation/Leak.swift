/// A part of a RIB that stayed alive after the RIB had left its tree.
///
/// A part that stays alive keeps its memory, and often continues to work. `TreeConfiguration.leakDetection` sets
/// whether and when a tree checks for leaks. `TreeConfiguration.onLeak` receives them.
public struct Leak: Sendable, Hashable, CustomStringConvertible {
  /// The part of a RIB that leaked.
  public enum Part: String, Sendable, Hashable, Codable {
    /// The router is alive, and with it the whole RIB and everything attached to it.
    case router
    /// The interactor is alive after its router was released.
    case interactor
    /// A workflow is alive after it was done. The path and the RIB are those that its last step worked on.
    case workflow
  }

  /// The path of the RIB when it resigned. For a workflow, the path of the RIB that its last step worked on.
  public let path: TreePath
  /// The RIB's identity in the tree.
  public let node: NodeID?
  /// The part that is alive.
  public let part: Part
  /// The type of the part.
  public let type: String
  /// How long it has been alive since it resigned, or was done, on the tree's clock.
  public let age: Duration
  /// The bound work of the RIB that has not ended although it was cancelled. It may hold the leaked part.
  public let work: [String]

  /// The leak as one line: path, part, age and advice.
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

/// Whether a tree checks for RIBs that stay alive after they have left it.
public enum LeakDetection: Sendable, Hashable {
  /// Off, at no cost.
  case off
  /// Checks a RIB this long after it has resigned, on the tree's clock.
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
