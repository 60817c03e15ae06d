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
