package import RIBs
import RIBsInspector

/// Compares, at each event of its trees, the fold of the events with the live tree.
///
/// Pass it to a tree as its inspector, and require `problem` to be nil at the end.
package final class FoldChecker: TreeObserver {
  private struct Checked {
    var fold: TreeFold
    var names = NameCache()
  }

  private struct State {
    var trees: [Int: Checked] = [:]
    var lastTree = 0
    var events = 0
    var problem: String?
  }

  private let state = Locked(State())

  private let share: Int

  /// - Parameter share: one in so many trees is compared.
  package init(oneIn share: Int = 1) { self.share = share }

  /// The first difference; nil if there was none.
  package var problem: String? { state.withLock { $0.problem } }

  /// The number of events compared.
  package var events: Int { state.withLock { $0.events } }

  package func treeWillLaunch(_ tree: TreeHandle) -> TreeHandle.Observer? {
    let id = state.withLock { state -> Int? in
      state.lastTree += 1
      guard state.lastTree % share == 0 else { return nil }
      state.trees[state.lastTree] = Checked(fold: TreeFold())
      return state.lastTree
    }
    guard let id else { return nil }
    tree.takeSnapshots()
    return { [self] event in
      check(event, in: id)
      return true
    }
  }

  package func treeDidEnd(_ tree: TreeHandle) {}

  private func check(_ event: TreeEvent, in id: Int) {
    state.withLock { state in
      guard var tree = state.trees[id], state.problem == nil else { return }
      tree.fold.apply(event, &tree.names)
      state.events += 1
      let live = FoldChecker.comparable(event.edits?.snapshot?.nodes ?? [])
      let folded = FoldChecker.comparable(tree.fold.snapshot().nodes)
      if !FoldChecker.areEqual(live, folded) {
        state.problem = """
          After \(event): \(event.edits?.edits ?? [])
          live:   \(FoldChecker.lines(live))
          folded: \(FoldChecker.lines(folded))
          """
      }
      state.trees[id] = tree.fold.hasEnded ? nil : tree
    }
  }

  /// The RIBs that a fold shows, without what it does not follow.
  private static func comparable(_ nodes: [TreeSnapshot.Node]) -> [TreeSnapshot.Node] {
    var indexes: [Int?] = []
    var shown: [TreeSnapshot.Node] = []
    for node in nodes {
      let parent = node.parent.flatMap { indexes[$0] }
      guard node.id != nil, node.parent == nil || parent != nil else {
        indexes.append(nil)
        continue
      }
      indexes.append(shown.count)
      shown.append(
        TreeSnapshot.Node(
          kind: node.kind, id: node.id, parent: parent, state: node.state, age: node.age, tasks: node.tasks,
          workers: node.workers,
          subscriptions: 0, summary: nil, restarts: nil))
    }
    return shown
  }

  /// Ages are rounded to nanoseconds.
  private static func areEqual(_ live: [TreeSnapshot.Node], _ folded: [TreeSnapshot.Node]) -> Bool {
    live.count == folded.count
      && zip(live, folded).allSatisfy { live, folded in
        let ages = (live.age, folded.age)
        guard (ages.0 == nil) == (ages.1 == nil) else { return false }
        let difference = (ages.0 ?? .zero) - (ages.1 ?? .zero)
        return live.kind == folded.kind && live.id == folded.id && live.parent == folded.parent
          && live.state == folded.state && live.tasks == folded.tasks && live.workers == folded.workers
          && difference >= .nanoseconds(-1) && difference <= .nanoseconds(1)
      }
  }

  private static func lines(_ nodes: [TreeSnapshot.Node]) -> String {
    nodes.map { node in
      "\(node.id?.description ?? "-")<\(node.parent ?? -1) \(node.name) \(node.state) \(node.age?.description ?? "") "
        + "\(node.tasks) \(node.workers)"
    }.joined(separator: " | ")
  }
}
