/// Where in the source a task was started, and the name it was given.
struct TaskOrigin: Sendable {
  let fileID: StaticString
  let line: UInt
  var key: String?

  /// What events, reports and snapshots call the task: the file without its module, the line, and the name before them.
  var name: String {
    let file = String(describing: fileID).split(separator: "/").last ?? ""
    let place = "\(file):\(line)"
    return key.map { "\($0) (\(place))" } ?? place
  }
}
