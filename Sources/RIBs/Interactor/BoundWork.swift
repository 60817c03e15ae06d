/// Tells a piece of bound work from all others of its tree, also from those that were started on the same line.
///
/// Events carry it, so that the end of work can be matched with its start.
public struct WorkID: Hashable, Sendable, CustomStringConvertible {
  /// Counts the starts of bound work in the tree, from 1.
  public let rawValue: UInt64

  init(_ rawValue: UInt64) { self.rawValue = rawValue }

  public var description: String { "\(rawValue)" }
}

/// Names a piece of bound work: which it is, and where in the source it was started.
public struct BoundWork: Hashable, Sendable, CustomStringConvertible {
  /// Tells it from all other work of its tree.
  public let id: WorkID
  /// The name that it was given, as in `task("reload", overlap: …)`.
  public var key: String? { origin.key }
  /// The workflow that it is a part of, by its type.
  public var workflow: String? { origin.workflow.map { String(describing: $0) } }
  /// The file that started it, with its module.
  public var fileID: String { String(describing: origin.fileID) }
  /// The line that started it.
  public var line: UInt { origin.line }
  let origin: TaskOrigin

  init(id: WorkID, origin: TaskOrigin) {
    self.id = id
    self.origin = origin
  }

  /// The name, if it has one, with the file and the line: `reload (RidesInteractor.swift:31)`.
  public var description: String { origin.name }

  public static func == (one: BoundWork, other: BoundWork) -> Bool {
    one.id == other.id && one.line == other.line && one.key == other.key && one.fileID == other.fileID
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(id)
    hasher.combine(line)
  }
}

/// An error of bound work that no interactor handled.
///
/// An interactor handles the errors of its work by overriding `didFail(_:of:)`. `TreeConfiguration.onFailure` is called
/// with all others.
public struct WorkFailure: Error, Sendable, CustomStringConvertible {
  /// Where the RIB stands that started the work.
  public let path: TreePath
  /// Which RIB of the tree it is; nil if the work belonged to none.
  public let node: NodeID?
  /// The work.
  public let work: BoundWork
  /// What it threw.
  public let error: any Error

  init(path: TreePath, node: NodeID?, work: BoundWork, error: any Error) {
    self.path = path
    self.node = node
    self.work = work
    self.error = error
  }

  /// One line with everything a developer needs.
  public var description: String {
    "RIBs: \(path): \(work) failed: \(error). "
      + "Override didFail(_:of:) in the interactor to handle it, or set TreeConfiguration.onFailure."
  }
}
