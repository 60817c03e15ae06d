// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs

/// What the events of a tree say of it, and whether they are consistent.
final class ScopeEvents: Sendable {
  private struct State {
    var attached: Set<NodeID> = []
    /// All that were attached or have become active.
    var known: Set<NodeID> = []
    /// The active RIBs, each with its parent.
    var active: [NodeID: NodeID?] = [:]
    var gone: Set<NodeID> = []
    /// Work that has not ended, with the RIB that it was started in.
    var work: [BoundWork.ID: NodeID?] = [:]
    var lastWork: UInt64 = 0
    var workers: [NodeID: Int] = [:]
    var hasEnded = false
    var hasCompleted = false
    var isRefused = false
    /// Whether `onEnd` was called.
    var hasCalledOnEnd = false
    var count = 0
    var digest: UInt64 = 0
  }

  private let state = Locked(State())
  private let ledger: ScopeLedger
  private let name: String

  init(_ name: String, _ ledger: ScopeLedger) {
    self.name = name
    self.ledger = ledger
  }

  func note(_ event: TreeEvent) {
    if ledger.isTracing {
      let id = event.node.map { "\($0.rawValue)" } ?? "-"
      let work = event.workID.map { " work \($0)" } ?? ""
      ledger.trace("\(name): \(event.kind) \(id)\(work)")
    }
    let fault = state.withLock { ScopeEvents.note(event, in: &$0) }
    if let fault { ledger.fail("\(name): \(event.kind) of \(event.node.map { "\($0)" } ?? "-"): \(fault)") }
    if let error = event.failure { ledger.didShow(error, isFailure: event.kind == .taskFailed) }
  }

  private static func note(_ event: TreeEvent, in state: inout State) -> String? {
    // These may come when the events have ended, and reach the handler only.
    if event.kind == .leaked || event.kind == .misuse { return nil }
    state.count += 1
    state.digest = state.digest &* 31 &+ UInt64(truncatingIfNeeded: event.kind.hashValue) &+ (event.node?.rawValue ?? 0)
    if state.hasCompleted { return "after the end of all events" }
    let isOfWork =
      [.taskEnded, .taskFailed, .workflowStepEnded, .workflowStepFailed, .workerStopped].contains(event.kind)
    if state.hasEnded, !isOfWork { return "after the end of the tree" }
    switch event.kind {
    case .attached, .activated, .resigned, .detached, .workerStarted, .workerStopped:
      guard let node = event.node else { return "it has no id" }
      return note(event, of: node, in: &state)
    // A router may be loaded by hand before it becomes active, and when it has resigned.
    case .loaded: return isKnown(event, in: state) ? nil : "it is not attached"
    case .taskStarted, .taskEnded, .taskFailed: return work(event, in: &state)
    case .ended:
      state.hasEnded = true
      return state.active.isEmpty ? nil : "\(state.active.count) RIBs are active"
    default: return nil
    }
  }

  private static func isKnown(_ event: TreeEvent, in state: State) -> Bool {
    event.node.map { state.known.contains($0) && !state.gone.contains($0) } ?? false
  }

  private static func note(_ event: TreeEvent, of node: NodeID, in state: inout State) -> String? {
    switch event.kind {
    case .attached:
      state.known.insert(node)
      return state.attached.insert(node).inserted ? nil : "it was attached before"
    case .activated:
      if state.active[node] != nil { return "it is active" }
      if state.gone.contains(node) { return "it was detached" }
      state.known.insert(node)
      state.active[node] = .some(event.parent)
      if let parent = event.parent, state.active[parent] == nil { return "its parent is not active" }
      return nil
    case .resigned:
      guard state.active.removeValue(forKey: node) != nil else { return "it is not active" }
      return state.active.values.contains(node) ? "a child is active" : nil
    case .detached:
      if state.active[node] != nil { return "it is active" }
      return state.gone.insert(node).inserted ? nil : "it was detached before"
    default:
      state.workers[node, default: 0] += event.kind == .workerStarted ? 1 : -1
      return state.workers[node, default: 0] < 0 ? "it has not started" : nil
    }
  }

  private static func work(_ event: TreeEvent, in state: inout State) -> String? {
    guard let id = event.workID else { return "it has no work" }
    if event.kind == .taskStarted {
      if id.rawValue <= state.lastWork { return "work \(id) was started before" }
      state.lastWork = id.rawValue
      state.work[id] = .some(event.node)
      return nil
    }
    guard let node = state.work.removeValue(forKey: id) else { return "work \(id) is not under way" }
    return node == event.node ? nil : "work \(id) was started elsewhere"
  }

  /// The launch of the tree was refused: it has no events but their end.
  func refuse(_ isRefused: Bool = true) { state.withLock { $0.isRefused = isRefused } }

  /// The tree has called `onEnd`.
  func didCallOnEnd() {
    let (isSecond, hasEnded) = state.withLock { state in
      defer { state.hasCalledOnEnd = true }
      return (state.hasCalledOnEnd, state.hasEnded)
    }
    ledger.expect(!isSecond, "\(name): onEnd is called twice")
    ledger.expect(hasEnded, "\(name): onEnd is called before the end of the tree")
  }

  func checkOnEnd() { ledger.expect(state.withLock { $0.hasCalledOnEnd }, "\(name): onEnd was not called") }

  /// All events have come.
  func complete() {
    let isSecond = state.withLock { state in
      defer { state.hasCompleted = true }
      return state.hasCompleted
    }
    ledger.trace("\(name): all events")
    ledger.expect(!isSecond, "\(name): the events end twice")
    if !state.withLock({ $0.isRefused }) { check("when its events ended") }
  }

  var hasCompleted: Bool { state.withLock { $0.hasCompleted } }

  /// How much work has not ended.
  var unfinishedCount: Int { state.withLock { $0.work.count } }

  /// The tree has ended with all its work.
  func check(_ moment: String) {
    let (hasEnded, active, work, workers) = state.withLock {
      ($0.hasEnded, $0.active.count, $0.work.count, $0.workers.values.filter { $0 != 0 }.count)
    }
    ledger.expect(hasEnded, "\(name) has not ended \(moment)")
    ledger.expect(active == 0, "\(name): \(active) RIBs are active \(moment)")
    ledger.expect(work == 0, "\(name): \(work) tasks have not ended \(moment)")
    ledger.expect(workers == 0, "\(name): workers have not stopped \(moment)")
  }

  /// Compares with what another observer of the same tree was called with.
  func checkSame(as other: ScopeEvents) {
    let (mine, theirs) = (state.withLock { ($0.count, $0.digest) }, other.state.withLock { ($0.count, $0.digest) })
    ledger.expect(mine == theirs, "\(name): \(mine.0) events differ from the \(theirs.0) of \(other.name)")
  }
}
