// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// A piece of bound work: its identity, and where in the source it was started.
public struct BoundWork: Identifiable, Hashable, Sendable, CustomStringConvertible {
  /// The identity of the work in its tree.
  public let id: ID
  /// The key of the work, as in `task("reload", overlap: …)`.
  public var key: String? { origin.key }
  /// The type name of the workflow that the work is part of.
  public var workflow: String? { origin.workflow.map { String(describing: $0) } }
  /// The file that started the work, with its module.
  public var fileID: String { String(describing: origin.fileID) }
  /// The line that started the work.
  public var line: UInt { origin.line }
  let origin: TaskOrigin

  /// The key or workflow, if any, with the file and the line: `reload (RidesInteractor.swift:31)`.
  public var description: String { origin.name }

  public static func == (one: BoundWork, other: BoundWork) -> Bool {
    one.id == other.id && one.line == other.line && one.key == other.key && one.fileID == other.fileID
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(id)
    hasher.combine(line)
  }
}

/// Where in the source a task was started, and its key.
@usableFromInline
struct TaskOrigin: Sendable {
  let fileID: StaticString
  let line: UInt
  var key: String?
  /// The workflow that the task is part of.
  var workflow: (any AnyObject.Type)?

  @usableFromInline
  init(fileID: StaticString, line: UInt, key: String? = nil, workflow: (any AnyObject.Type)? = nil) {
    self.fileID = fileID
    self.line = line
    self.key = key
    self.workflow = workflow
  }

  /// The task's name in events, reports and snapshots: the file without its module and the line, after the key or the
  /// type of the workflow, if any.
  var name: String {
    let place = "\(file):\(line)"
    return title.map { "\($0) (\(place))" } ?? place
  }

  /// The key, or the type name of the workflow.
  var title: String? { key ?? workflow.map { String(describing: $0) } }

  /// The file without its module.
  var file: String { String(describing: fileID).split(separator: "/").last.map(String.init) ?? "" }
}

extension BoundWork {
  /// Identifies a piece of bound work in its tree, even among work started on the same line.
  ///
  /// Events carry it, so that the end of work can be matched with its start.
  public struct ID: Hashable, Sendable, CustomStringConvertible {
    /// The number of the start in the tree, counted from 1.
    public let rawValue: UInt64

    init(_ rawValue: UInt64) { self.rawValue = rawValue }

    public var description: String { "\(rawValue)" }
  }
}

extension BoundWork {
  /// The source of the task-local values and the priority of bound work.
  public struct Context: Equatable, Sendable {
    let isInherited: Bool
    // Not a TaskPriority, which is copied through its metadata (Swift 6.3), and each start of work copies its context.
    private let rawPriority: UInt8?

    private init(isInherited: Bool, _ rawPriority: UInt8?) {
      self.isInherited = isInherited
      self.rawPriority = rawPriority
    }

    var priority: TaskPriority? { rawPriority.map { TaskPriority(rawValue: $0) } }

    /// Inherited from the code that requests the work.
    public static var inherited: Context { Context(isInherited: true, nil) }

    /// Independent of the caller: no task-local values, and the given priority.
    ///
    /// - Parameter priority: the priority of the work; medium if nil.
    public static func own(priority: TaskPriority? = nil) -> Context {
      Context(isInherited: false, priority?.rawValue)
    }
  }
}
