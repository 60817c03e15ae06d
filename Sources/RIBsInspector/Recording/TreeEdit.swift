// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

package import RIBs

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
  fileprivate let types: SnapshotKind.Types
  /// Whether the RIB has a view.
  package let hasView: Bool

  /// The name of the RIB.
  package var name: String { nameOfRIB(types.router, interactor: types.interactor) }
  /// The type of the router.
  package var router: String { String(describing: types.router) }
  /// The type of the interactor.
  package var interactor: String { String(describing: types.interactor) }
}

/// Collects the edits of a tree between two events, while an inspector observes the tree.
final class EditLog: EventNotes {
  let moments: TreeMoments = [
    .attached, .activated, .moved, .resigning, .left, .detached, .removed, .workEntered, .workLeft, .workSlept,
    .workCancelled, .workerEntered, .workerLeft, TreeMoments(.restarted),
  ]
  private var edits: [TreeEdit] = []
  /// The last ID that was noted as inserted. IDs are assigned in ascending order.
  private var lastID: UInt64
  /// Whether each event carries a snapshot of the tree.
  private let takesSnapshots: Bool

  init(of tree: TreeCore, takingSnapshots takesSnapshots: Bool) {
    lastID = tree.lastID
    self.takesSnapshots = takesSnapshots
  }

  /// The number of edits since the last event.
  var count: Int { edits.count }

  private func append(_ edit: TreeEdit) {
    // Taken out meanwhile: an access that calls nothing needs no check at run time.
    var edits = edits
    self.edits = []
    // Most events have up to two.
    if edits.isEmpty { edits.reserveCapacity(2) }
    edits.append(edit)
    self.edits = edits
  }

  /// Removes the edits for an event.
  func attachment(of event: TreeEvent, in tree: TreeCore) -> (any AnyObject & Sendable)? {
    let taken = edits
    edits = []
    // Last, because labels are user code, which may emit more events.
    let snapshot = takesSnapshots ? tree.snapshot(at: event.time, withSummaries: false) : nil
    return taken.isEmpty && snapshot == nil ? nil : EventAttachment(taken, snapshot)
  }

  func node(_ moment: TreeMoments, _ node: RouterNode) {
    guard let id = node.nodeID else { return }
    switch moment {
    case .attached: insertIfNew(node, id)
    case .activated:
      insertIfNew(node, id)
      append(.activated(id, since: node.activeSince))
    case .moved: append(.moved(id, node.foldedPlace))
    case .resigning: append(.resigning(id))
    case .left: append(.resigned(id))
    case .detached, .removed: append(.removed(id))
    default: break
    }
  }

  private func insertIfNew(_ node: RouterNode, _ id: NodeID) {
    guard id.rawValue > lastID else { return }
    lastID = id.rawValue
    // First, because it is user code.
    let label = node.label
    append(.inserted(id, parent: node.parentID, node.foldedPlace, node.ribTypes, label: label))
  }

  func receive(_ event: TreeEvent) {
    if let node = event.node, let count = event.restarts { append(.restarted(node, count)) }
  }

  func work(_ moment: TreeMoments, _ task: BoundTask, in tree: TreeCore) {
    guard task.isCounted, let scope = task.scope else { return }
    guard moment != .workLeft else { return append(.workEnded(task.work.id)) }
    // Other work shows no difference before it ends.
    if moment == .workCancelled, tree.sleepingWork?.contains(task) != true { return }
    // A workflow that is about to wait in this tree is still in the scope of a RIB outside it.
    guard scope.tree === tree, let node = scope.node?.nodeID else { return }
    append(.workStarted(task.work, node, worker: scope.workerIndex, until: tree.sleepingWork?.end(of: task)))
  }

  func worker(_ moment: TreeMoments, _ worker: TaskOwner, at index: Int, of node: NodeID) {
    append(moment == .workerEntered ? .workerStarted(type(of: worker), node) : .workerStopped(index, node))
  }
}

extension RouterNode {
  fileprivate final var ribTypes: RIBTypes { RIBTypes(types: snapshotTypes, hasView: hasView) }

  /// The position of this among the children of its parent that have an ID.
  ///
  /// - Complexity: linear in the number of previous siblings without an ID, which are about to become active.
  fileprivate final var foldedPlace: TreeEdit.Place {
    guard nextSiblingNode != nil else { return .last }
    var previous = previousSiblingNode
    while let node = previous {
      if let id = node.nodeID { return .after(id) }
      previous = node.previousSiblingNode
    }
    return .first
  }
}

/// What the events of a tree carry for the inspector that observes it.
private final class EventAttachment: Sendable {
  let edits: [TreeEdit]
  let snapshot: TreeSnapshot?

  init(_ edits: [TreeEdit], _ snapshot: TreeSnapshot?) {
    self.edits = edits
    self.snapshot = snapshot
  }
}

extension TreeEvent {
  private var forInspector: EventAttachment? { attachment as? EventAttachment }

  /// What a fold of the events needs beside this event; empty if no inspector observes the tree.
  package var edits: [TreeEdit] { forInspector?.edits ?? [] }

  /// The tree when the event was emitted, without summaries, if an inspector has requested it.
  package var snapshot: TreeSnapshot? { forInspector?.snapshot }
}

extension TreeHandle {
  /// Makes the events carry their edits. Called in `treeWillLaunch(_:)`; the first call counts.
  ///
  /// - Parameter takesSnapshots: whether each event carries a snapshot of the tree.
  package func attachEdits(takingSnapshots takesSnapshots: Bool = false) {
    attachToEvents { tree in EditLog(of: tree, takingSnapshots: takesSnapshots) }
  }
}
