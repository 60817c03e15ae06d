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
  case inserted(NodeID, parent: NodeID?, Place, RIBTypes)
  case moved(NodeID, Place)
  /// A RIB was unlinked, with all RIBs below it.
  case removed(NodeID)
  case activated(NodeID, since: Duration)
  /// A RIB is resigning.
  case resigning(NodeID)
  /// A RIB has resigned, after the event that reports it.
  case resigned(NodeID)
  /// Work belongs to a RIB, or to the running worker with this index.
  case workStarted(BoundWork, NodeID, worker: Int?)
  /// Work no longer belongs to a RIB.
  case workEnded(BoundWork.ID)
  /// A worker was appended to the running workers of a RIB.
  case workerStarted(Worker.Type, NodeID)
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

/// Collects the edits of a tree between two events, while an inspector observes the tree, and passes them on.
final class EditLog {
  private final class Observation {
    let observer: TreeHandle.Observer
    var hasEnded = false

    init(_ observer: @escaping TreeHandle.Observer) { self.observer = observer }
  }

  @exclusivity(unchecked) private var edits: [TreeEdit] = []
  /// The RIBs that resign, as far as they were noted, each after those above it.
  @exclusivity(unchecked) private var resigning: [UInt64] = []
  /// The last ID that was noted as inserted. IDs are assigned in ascending order.
  @exclusivity(unchecked) private var lastID: UInt64
  @exclusivity(unchecked) private var observations: [Observation] = []
  /// Whether each event carries a snapshot of the tree.
  @exclusivity(unchecked) var takesSnapshots = false

  /// - Parameter lastID: the last ID assigned before.
  init(after lastID: UInt64) { self.lastID = lastID }

  /// The number of edits since the last event.
  var count: Int { edits.count }

  func append(_ edit: TreeEdit) {
    // Most events have up to two.
    if edits.isEmpty { edits.reserveCapacity(2) }
    edits.append(edit)
  }

  /// Removes the edits for an event.
  func take() -> [TreeEdit] {
    defer { edits = [] }
    return edits
  }

  func add(_ observer: @escaping TreeHandle.Observer) { observations.append(Observation(observer)) }

  /// Whether observers are left.
  var isObserved: Bool { !observations.isEmpty }

  /// Passes an event to the observers, until they return false. What an observer releases may emit more events.
  func report(_ event: TreeEvent) {
    var hasEnded = false
    for observation in observations where !observation.hasEnded && !observation.observer(event) {
      observation.hasEnded = true
      hasEnded = true
    }
    if hasEnded { observations.removeAll(where: \.hasEnded) }
  }

  /// Notes a step in the life of a RIB, before its event.
  func note(_ kind: TreeEvent.Kind, of router: RouterNode) {
    guard kind == .attached || kind == .activated else { return }
    if router.id > lastID {
      lastID = router.id
      append(.inserted(NodeID(router.id), parent: router.parentID, router.foldedPlace, router.ribTypes))
    }
    if kind == .activated { append(.activated(NodeID(router.id), since: router.activeSince)) }
  }

  /// Notes a RIB that resigns, and those above it that resign with it.
  func noteResigning(_ router: RouterNode) {
    let start = resigning.count
    var next: RouterNode? = router
    while let node = next, node.state.isResigning, node.id != 0, !isNoted(node.id, before: start) {
      append(.resigning(NodeID(node.id)))
      resigning.append(node.id)
      next = node.parentNode
    }
    if resigning.count > start + 1 { resigning[start...].reverse() }
  }

  /// The RIB that resigns next is the last one, in most cases.
  private func isNoted(_ id: UInt64, before end: Int) -> Bool {
    end > 0 && (resigning[end - 1] == id || resigning[..<end].contains(id))
  }

  func noteResigned(_ router: RouterNode) {
    guard let id = router.nodeID else { return }
    if resigning.last == id.rawValue { resigning.removeLast() } else { resigning.removeAll { $0 == id.rawValue } }
    append(.resigned(id))
  }

  func noteWork(_ task: BoundTask, in scope: ScopedWork?) {
    guard task.isCounted, let scope, let node = scope.node?._withUnsafeGuaranteedRef({ $0.nodeID }) else { return }
    append(.workStarted(task.work, node, worker: scope.workerIndex))
  }
}

extension RouterNode {
  fileprivate final var ribTypes: RIBTypes { RIBTypes(types: snapshotTypes, hasView: hasView) }

  /// The log of the tree that shows this; also while this is inactive in it, below at most 64 other inactive RIBs.
  final var editLog: EditLog? {
    if let tree { return tree._withUnsafeGuaranteedRef { $0.edits } }
    var next = id == 0 ? nil : parent
    var count = 0
    while let node = next?.takeUnretainedValue(), node.id != 0, count < TreePath.limit {
      if let tree = node.tree { return tree._withUnsafeGuaranteedRef { $0.edits } }
      next = node.parent
      count += 1
    }
    return nil
  }

  /// The position of this among the children of its parent that have an ID.
  ///
  /// - Complexity: linear in the number of previous siblings without an ID, which are about to become active.
  final var foldedPlace: TreeEdit.Place {
    guard nextSibling != nil else { return .last }
    var previous = previousSibling
    while let node = previous?.takeUnretainedValue() {
      if let id = node.nodeID { return .after(id) }
      previous = node.previousSibling
    }
    return .first
  }
}
