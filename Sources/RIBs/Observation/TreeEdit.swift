// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// A change of a tree that a fold of its events applies to the tree before the event.
///
/// Events alone don't say everything that a snapshot shows: a RIB begins to resign without an event, work leaves its RIB
/// before its end is reported, and a list of children moves them. Each event carries the edits since the event before it.
package enum TreeEdit: Sendable {
  /// The position of a RIB among those children of its parent that have an ID.
  package enum Place: Hashable, Sendable {
    case first, last
    case after(NodeID)
  }

  /// A RIB received its ID. It is still inactive.
  case inserted(NodeID, parent: NodeID?, Place, RIBTypes, label: String?)
  case moved(NodeID, Place)
  /// A RIB was unlinked, with all RIBs below it.
  case removed(NodeID)
  case activated(NodeID, since: Duration)
  /// A RIB is resigning.
  case resigning(NodeID)
  /// A RIB has resigned, after the event that reports it.
  case resigned(NodeID)
  /// Work belongs to a RIB, or to the running worker with this index. Repeated when it begins to sleep until a wall time,
  /// with that time, and when it wakes or is cancelled.
  case workStarted(BoundWork, NodeID, worker: Int?, until: WallTime?)
  /// Work no longer belongs to a RIB.
  case workEnded(BoundWork.ID)
  /// A worker was appended to the running workers of a RIB.
  case workerStarted(TaskOwner.Type, NodeID)
  /// The running worker with this index has stopped, with its work.
  case workerStopped(Int, NodeID)
  case restarted(NodeID, Restarts.Count)
}

/// The types of a RIB, for its names.
package struct RIBTypes: Hashable, Sendable {
  let types: SnapshotKind.Types
  /// Whether the RIB has a view.
  package let hasView: Bool

  /// The name of the RIB.
  package var name: String { nameOfRIB(types.router, interactor: types.interactor) }
  /// The type of the router.
  package var router: String { String(describing: types.router) }
  /// The type of the interactor.
  package var interactor: String { String(describing: types.interactor) }
}

/// The part of a tree that collects its edits between two events, while an inspector observes the tree.
final class EditLog: TaskPart {
  private var edits: [TreeEdit] = []
  /// The last ID that was noted as inserted. IDs are assigned in ascending order.
  private var lastID: UInt64

  /// - Parameter lastID: the last ID assigned before.
  init(after lastID: UInt64) {
    self.lastID = lastID
    super.init([
      .attached, .activated, .moved, .resigning, .left, .detached, .removed, .workEntered, .workLeft, .workSlept,
      .workCancelled, .workerEntered, .workerLeft, TreeMoments(.restarted),
    ])
  }

  /// The number of edits since the last event.
  var count: Int { edits.count }

  private func append(_ edit: TreeEdit) {
    // Most events have up to two.
    if edits.isEmpty { edits.reserveCapacity(2) }
    edits.append(edit)
  }

  /// Removes the edits for an event.
  func take() -> [TreeEdit] {
    defer { edits = [] }
    return edits
  }

  override func node(_ moment: TreeMoments, _ node: RouterNode, in tree: TreeCore) -> Continuation {
    guard let id = node.nodeID else { return .proceed }
    switch moment {
    case .attached: insertIfNew(node)
    case .activated:
      insertIfNew(node)
      append(.activated(id, since: node.activeSince))
    case .moved: append(.moved(id, node.foldedPlace))
    case .resigning: append(.resigning(id))
    case .left: append(.resigned(id))
    case .detached, .removed: append(.removed(id))
    default: break
    }
    return .proceed
  }

  private func insertIfNew(_ node: RouterNode) {
    guard node.id > lastID else { return }
    lastID = node.id
    // First, because it is user code.
    let label = node.label
    append(.inserted(NodeID(node.id), parent: node.parentID, node.foldedPlace, node.ribTypes, label: label))
  }

  override func receive(_ event: TreeEvent, in tree: TreeCore) {
    if let node = event.node, let count = event.restarts { append(.restarted(node, count)) }
  }

  override func work(_ moment: TreeMoments, _ task: BoundTask, in tree: TreeCore) {
    guard task.isCounted, let scope = task.scope else { return }
    guard moment != .workLeft else { return append(.workEnded(task.work.id)) }
    // Other work shows no difference before it ends.
    if moment == .workCancelled, tree.sleepingWork?.contains(task) != true { return }
    // A workflow that is about to wait in this tree is still in the scope of a RIB outside it.
    guard scope.tree === tree, let node = scope.node?.nodeID else { return }
    append(.workStarted(task.work, node, worker: scope.workerIndex, until: tree.sleepingWork?.end(of: task)))
  }

  override func worker(_ moment: TreeMoments, _ worker: TaskOwner, at index: Int, of node: NodeID) {
    append(moment == .workerEntered ? .workerStarted(type(of: worker), node) : .workerStopped(index, node))
  }
}

extension RouterNode {
  fileprivate final var ribTypes: RIBTypes { RIBTypes(types: snapshotTypes, hasView: hasView) }

  /// The position of this among the children of its parent that have an ID.
  ///
  /// - Complexity: linear in the number of previous siblings without an ID, which are about to become active.
  final var foldedPlace: TreeEdit.Place {
    guard nextSibling != nil else { return .last }
    var previous = previousSiblingNode
    while let node = previous {
      if let id = node.nodeID { return .after(id) }
      previous = node.previousSiblingNode
    }
    return .first
  }
}
