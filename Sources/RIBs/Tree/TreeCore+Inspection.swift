/// What an inspector reads of a tree, and what it is notified of.
extension TreeCore {
  /// Notifies the inspector, if there is one, before the root becomes active.
  func notifyInspectorOfLaunch() {
    guard let inspector = configuration.value.inspector, let root = rootNode, let actor else { return }
    let handle = TreeHandle(self, root: root.namingType, on: actor)
    self.handle = handle
    if let observer = inspector.treeWillLaunch(handle) { observe(observer, takingSnapshots: handle.takesSnapshots) }
  }

  func notifyInspectorOfEnd() {
    guard let handle else { return }
    self.handle = nil
    configuration.value.inspector?.treeDidEnd(handle)
  }

  /// Whether the root has yet to resign at the end of the tree.
  var hasRoot: Bool { rootNode != nil }

  func snapshotWithoutSummaries(at time: Duration) -> TreeSnapshot? {
    rootNode.map { TreeSnapshot(of: $0, at: time, identity, withSummaries: false) }
  }

  /// Takes a snapshot of the tree; nil once it has ended.
  func snapshot() -> TreeSnapshot? { rootNode.map { TreeSnapshot(of: $0, at: now(), identity) } }

  /// Takes a snapshot with what a fold needs beside it.
  func keyframe(_ withSummaries: Bool) -> TreeKeyframe? {
    guard let root = rootNode else { return nil }
    let time = now()
    return TreeKeyframe(
      snapshot: TreeSnapshot(of: root, at: time, identity, withSummaries: withSummaries), time: time,
      edits: edits?.count ?? 0,
      work: TreeKeyframe.work(below: root))
  }

  /// - Parameter takingSnapshots: whether each event carries a snapshot of the tree.
  func observe(_ observer: @escaping TreeHandle.Observer, takingSnapshots: Bool = false) {
    let edits = edits ?? EditLog(after: lastID)
    edits.add(observer)
    edits.takesSnapshots = edits.takesSnapshots || takingSnapshots
    self.edits = edits
    resignationNotes.insert(.inspector)
  }

  /// Stops collecting edits, when the last observer has returned false.
  func endInspection() {
    edits = nil
    resignationNotes.remove(.inspector)
  }
}
