// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

public import RIBs

/// A snapshot of a tree in another process, from which the events that follow can be folded; see `TreeFold`.
public struct InspectedKeyframe: Sendable {
  /// The tree.
  public let tree: InspectedTree.ID
  /// The snapshot.
  public let snapshot: TreeSnapshot
  /// When the snapshot was taken, since the launch of the tree.
  public let time: Duration
  /// The number of the last event before the snapshot; 0 if there was none.
  public let number: Int
  /// The number of changes of the next event that the snapshot includes.
  let changes: Int
  let work: [TreeKeyframe.Work]
  /// When the work wakes that sleeps until a wall time, by the ID of the work.
  let sleeps: [UInt64: WallTime]

  package init(_ keyframe: TreeKeyframe, of tree: InspectedTree.ID, after number: Int) {
    self.tree = tree
    self.number = number
    snapshot = keyframe.snapshot
    time = keyframe.time
    changes = keyframe.edits
    work = keyframe.work
    sleeps = keyframe.sleeps
  }

  init(
    tree: InspectedTree.ID, snapshot: TreeSnapshot, time: Duration, number: Int, changes: Int = 0,
    work: [TreeKeyframe.Work], sleeps: [UInt64: WallTime] = [:]
  ) {
    self.tree = tree
    self.snapshot = snapshot
    self.time = time
    self.number = number
    self.changes = changes
    self.work = work
    self.sleeps = sleeps
  }
}

extension InspectedKeyframe {
  /// The keyframe with the summaries that a recording contains.
  func withSummaries(_ summaries: Recording.Summaries?) -> InspectedKeyframe {
    guard snapshot.nodes.contains(where: { $0.summary != nil }) else { return self }
    let nodes = snapshot.nodes
    let filtered = nodes.indices.map { index -> TreeSnapshot.Node in
      guard let summary = nodes[index].summary else { return nodes[index] }
      var path: [String] = []
      var next: Int? = index
      while let node = next {
        path.append(nodes[node].name)
        next = nodes[node].parent
      }
      return nodes[index].with(recordedSummary: summaries?(path.reversed(), summary))
    }
    return InspectedKeyframe(
      tree: tree,
      snapshot: TreeSnapshot(
        nodes: filtered, name: snapshot.name, labels: snapshot.labels, wallTime: snapshot.wallTime),
      time: time, number: number, changes: changes, work: work, sleeps: sleeps)
  }
}

extension TreeSnapshot.Node {
  fileprivate func with(recordedSummary: String?) -> TreeSnapshot.Node {
    TreeSnapshot.Node(
      kind: kind, id: id, parent: parent, state: state, age: age, tasks: tasks, workers: workers,
      subscriptions: subscriptions, label: label, summary: recordedSummary, restarts: restarts, wakes: wakes)
  }
}

/// The part of an answer with a snapshot that relates it to the events.
struct KeyframeDetails: Codable {
  var number: Int
  var timeNanoseconds: Int64
  var changes: Int?
  /// For each RIB with work: its index in the snapshot, the IDs of the work of its interactor, and of each worker.
  var work: [Work]?
  /// When work wakes, in microseconds since 1970: the ID of the work, and the time.
  var sleeps: [[Int64]]?

  struct Work: Codable {
    let node: Int
    var tasks: [UInt64]?
    var workers: [[UInt64]]?
  }

  init(_ keyframe: InspectedKeyframe) {
    number = keyframe.number
    timeNanoseconds = keyframe.time.wholeNanoseconds
    changes = keyframe.changes == 0 ? nil : keyframe.changes
    work = keyframe.work.map {
      Work(node: $0.node, tasks: $0.tasks.isEmpty ? nil : $0.tasks, workers: $0.workers.isEmpty ? nil : $0.workers)
    }
    let sleeps = keyframe.sleeps.sorted { $0.key < $1.key }
    self.sleeps = sleeps.isEmpty ? nil : sleeps.map { [Int64(clamping: $0), $1.microsecondsSince1970] }
  }

  func keyframe(of tree: InspectedTree.ID, _ snapshot: TreeSnapshot) -> InspectedKeyframe {
    InspectedKeyframe(
      tree: tree, snapshot: snapshot, time: .nanoseconds(timeNanoseconds), number: number, changes: changes ?? 0,
      work: (work ?? []).map { TreeKeyframe.Work(node: $0.node, tasks: $0.tasks ?? [], workers: $0.workers ?? []) },
      sleeps: Dictionary(
        (sleeps ?? []).filter { $0.count == 2 }.map {
          (UInt64(clamping: $0[0]), WallTime(microsecondsSince1970: $0[1]))
        }
      ) { first, _ in first })
  }
}
