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

/// Where in the source a task was started, and the name it was given.
@usableFromInline
struct TaskOrigin: Sendable {
  let fileID: StaticString
  let line: UInt
  var key: String?
  /// The workflow that the task is a part of.
  var workflow: (any AnyObject.Type)?

  @usableFromInline
  init(fileID: StaticString, line: UInt, key: String? = nil, workflow: (any AnyObject.Type)? = nil) {
    self.fileID = fileID
    self.line = line
    self.key = key
    self.workflow = workflow
  }

  /// What events, reports and snapshots call the task: the file without its module, the line, and the name before them,
  /// which for a part of a workflow is the type of that.
  var name: String {
    let place = "\(file):\(line)"
    return title.map { "\($0) (\(place))" } ?? place
  }

  /// The name it was given, or its workflow.
  var title: String? { key ?? workflow.map { String(describing: $0) } }

  /// The file without its module.
  var file: String { String(describing: fileID).split(separator: "/").last.map(String.init) ?? "" }
}

/// What happens to errors of bound work where no handler is set.
enum FailureHandling {
  @Sendable
  static func standard(_ failure: WorkFailure) { writeToStandardError(failure.description + "\n") }
}
