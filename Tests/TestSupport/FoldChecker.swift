// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

package import RIBs
import RIBsInspector

/// Folds the events of its trees, and compares the folds with the live trees. Every 50 events, the fold begins again with
/// a keyframe of its own, and on request another one with a keyframe of the live tree.
///
/// A tree of at most eight RIBs is compared at each event. Comparing takes time in proportion to the tree, so a larger one
/// is compared less often by default, and debug builds compare one in four of many trees.
///
/// Pass it to a tree as its inspector, and require `problem` to be nil at the end.
package final class FoldChecker: TreeObserver {
  private struct Checked {
    let handle: TreeHandle
    var fold: TreeFold
    var names = NameCache()
    /// The RIBs whose names were compared. Making the names takes longest, and those of a RIB never change in a fold.
    var named: Set<NodeID> = []
    var events = 0
    var eventsSinceComparison = 0
    var comparisons = 0
    /// The last events, the oldest first.
    var last: [TreeEvent] = []
    /// A fold that began with a keyframe of the live tree; nil before the first.
    var later: TreeFold?
  }

  private struct State {
    var trees: [Int: Checked] = [:]
    var lastTree = 0
    var events = 0
    var keyframes = 0
    var problem: String?
  }

  private let state = Locked(State())

  private let share: Int
  private let comparesEachEvent: Bool

  /// - Parameters:
  ///   - share: one in so many trees is compared, beginning with the first. Defaults to what `Thoroughness` says.
  ///   - comparesEachEvent: whether large trees are compared at each event too. Defaults to whether everything is tried.
  package init(oneIn share: Int? = nil, comparingEachEvent comparesEachEvent: Bool = Thoroughness.current == .whole) {
    self.share = share ?? Thoroughness.count(usual: 4, share: 1, whole: 1)
    self.comparesEachEvent = comparesEachEvent
  }

  /// The first difference; nil if there was none.
  package var problem: String? { state.withLock { $0.problem } }

  /// The number of events folded.
  package var events: Int { state.withLock { $0.events } }

  /// The number of keyframes of live trees from which events were folded.
  package var keyframes: Int { state.withLock { $0.keyframes } }

  package func treeWillLaunch(_ tree: TreeHandle) -> TreeHandle.Observer? { observe(tree, readingKeyframesEach: nil) }

  /// An observer for trees that a test does not drive, which also reads keyframes of the live tree. A keyframe is read by
  /// a task of its own, and retains the tree's actor for a moment.
  ///
  /// - Parameter period: the number of events after which a keyframe is read.
  package func readingKeyframes(each period: Int) -> any TreeObserver { KeyframeReader(checker: self, period: period) }

  private struct KeyframeReader: TreeObserver {
    let checker: FoldChecker
    let period: Int

    func treeWillLaunch(_ tree: TreeHandle) -> TreeHandle.Observer? {
      checker.observe(tree, readingKeyframesEach: period)
    }

    func treeDidEnd(_ tree: TreeHandle) {}
  }

  private func observe(_ tree: TreeHandle, readingKeyframesEach period: Int?) -> TreeHandle.Observer? {
    let id = state.withLock { state -> Int? in
      defer { state.lastTree += 1 }
      guard state.lastTree % share == 0 else { return nil }
      state.trees[state.lastTree] = Checked(handle: tree, fold: TreeFold())
      return state.lastTree
    }
    guard let id else { return nil }
    tree.attachEdits(takingSnapshots: true)
    return { [self] event in
      if check(event, in: id, period) { Task.detached { [self] in await readKeyframe(of: tree, id) } }
      return true
    }
  }

  /// Begins another fold of each tree with a keyframe, in the middle of the run.
  package func readKeyframes() async {
    for (id, tree) in state.withLock({ $0.trees }) { await readKeyframe(of: tree.handle, id) }
  }

  /// Begins another fold when the tree's actor is free.
  private func readKeyframe(of tree: TreeHandle, _ id: Int) async {
    await tree.keyframe { [self] keyframe in
      state.withLock { state in
        guard let keyframe, let number = state.trees[id]?.fold.number else { return }
        state.trees[id]?.later = TreeFold(InspectedKeyframe(keyframe, of: id, after: number))
        state.trees[id]?.named = []
        state.keyframes += 1
      }
    }
  }

  package func treeDidEnd(_ tree: TreeHandle) {}

  /// - Returns: whether to read a keyframe.
  private func check(_ event: TreeEvent, in id: Int, _ period: Int?) -> Bool {
    state.withLock { state in
      // Taken out, so that what changes is not copied.
      guard state.problem == nil, var tree = state.trees.removeValue(forKey: id) else { return false }
      tree.fold.apply(event, &tree.names)
      tree.later?.apply(event, &tree.names)
      state.events += 1
      tree.events += 1
      tree.last.append(event)
      if tree.last.count > 30 { tree.last.removeFirst() }
      tree.eventsSinceComparison += 1
      let nodes = event.snapshot?.nodes ?? []
      if comparesEachEvent || tree.fold.hasEnded || nodes.count <= 8 * tree.eventsSinceComparison {
        tree.eventsSinceComparison = 0
        state.problem = FoldChecker.difference(of: &tree, from: nodes)
      }
      if tree.events % 50 == 0, !tree.fold.hasEnded {
        tree.fold = TreeFold(tree.fold.keyframe(of: id))
        tree.named = []
      }
      let isDue = period.map { tree.events % $0 == 0 && !tree.fold.hasEnded } ?? false
      state.trees[id] = tree.fold.hasEnded ? nil : tree
      return isDue
    }
  }

  /// Compares the folds of a tree with the live tree.
  ///
  /// - Returns: a description of the difference; nil if they are equal.
  private static func difference(of tree: inout Checked, from nodes: [TreeSnapshot.Node]) -> String? {
    let live = comparable(nodes)
    // Comparing takes much longer than folding, so most comparisons are of one of two folds.
    var folds = [(tree.later ?? tree.fold, tree.later == nil ? "folded" : "folded from a keyframe")]
    tree.comparisons += 1
    if tree.comparisons % 16 == 0 {
      tree.named = []
      if tree.later != nil { folds.append((tree.fold, "folded")) }
    }
    for (fold, name) in folds {
      let folded = comparable(fold.snapshot().nodes)
      if !areEqual(live, folded, besidesNamesOf: tree.named) {
        return """
          After these events of a tree:
          \(lines(tree.last))
          live:   \(lines(live))
          \(name): \(lines(folded))
          """
      }
    }
    tree.named.formUnion(live.compactMap(\.id))
    return nil
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
          subscriptions: 0, label: node.label, summary: nil, restarts: nil, wakes: node.wakes))
    }
    return shown
  }

  /// Ages are rounded to nanoseconds.
  private static func areEqual(
    _ live: [TreeSnapshot.Node], _ folded: [TreeSnapshot.Node], besidesNamesOf named: Set<NodeID>
  ) -> Bool {
    live.count == folded.count
      && zip(live, folded).allSatisfy { live, folded in
        let ages = (live.age, folded.age)
        guard (ages.0 == nil) == (ages.1 == nil) else { return false }
        let difference = (ages.0 ?? .zero) - (ages.1 ?? .zero)
        let haveEqualNames =
          live.id.map(named.contains) == true
          || (live.name, live.router, live.interactor, live.hasView)
            == (folded.name, folded.router, folded.interactor, folded.hasView)
        return haveEqualNames && live.id == folded.id && live.parent == folded.parent
          && live.state == folded.state && live.tasks == folded.tasks && live.workers == folded.workers
          && live.label == folded.label && live.wakes == folded.wakes
          && difference >= .nanoseconds(-1) && difference <= .nanoseconds(1)
      }
  }

  private static func lines(_ events: [TreeEvent]) -> String {
    var lines = ""
    for event in events {
      let (node, work) = (event.node?.description ?? "-", event.workID?.description ?? "-")
      lines += "\(event) at \(node), work \(work): \(event.edits)\n"
    }
    return lines
  }

  private static func lines(_ nodes: [TreeSnapshot.Node]) -> String {
    nodes.map { node in
      "\(node.id?.description ?? "-")<\(node.parent ?? -1) \(node.name) \(node.state) \(node.age?.description ?? "") "
        + "\(node.tasks) \(node.workers) \(node.wakes?.description ?? "")"
    }.joined(separator: " | ")
  }
}
