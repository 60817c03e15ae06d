public import RIBs

/// What became of a tree between two snapshots of it.
///
/// ```swift
/// let difference = TreeDifference(from: before, to: after)
/// print(difference.text())
/// ```
///
/// RIBs are told apart by their ids. A RIB that is detached and attached again gets another id, so one counts as moved
/// when a RIB of some name, router and interactor has gone from one parent, and one like it has come to another; what
/// stood below it is looked for there. RIBs without an id, which have not been active yet, are told apart by their types
/// and their order below a parent.
public struct TreeDifference: Sendable, Hashable, Codable {
  /// Something that is now another than it was.
  public struct Change: Sendable, Hashable, Codable {
    /// What of a RIB may change. Its age always does, and is no change.
    public enum Aspect: String, Sendable, Hashable, Codable, CaseIterable {
      /// What it is doing.
      case state
      /// Its running tasks.
      case tasks
      /// Its running workers.
      case workers
      /// How many subscriptions are bound to it.
      case subscriptions
      /// What it says of itself.
      case summary
    }

    /// What has changed.
    public let aspect: Aspect
    /// What it was: for tasks and workers those that have ended, each a value.
    public let before: [String]
    /// What it is: for tasks and workers those that have begun, each a value.
    public let after: [String]
  }

  /// What has become of one RIB.
  public struct Entry: Sendable, Hashable, Codable {
    /// The RIB's path, in the later snapshot unless the RIB has gone. Of a path longer than 64 RIBs, the last 64.
    public let path: String
    /// The RIB's id, in the later snapshot unless the RIB has gone.
    public let id: NodeID?
    /// Of a RIB that was moved: its path before.
    public let from: String?
    /// What else has changed of a RIB that is in both snapshots.
    public let changes: [Change]
  }

  /// RIBs that have come, each before those below it.
  public let attached: [Entry]
  /// RIBs that have gone, each before those below it.
  public let detached: [Entry]
  /// RIBs that stand below another parent; those below them are not listed.
  public let moved: [Entry]
  /// RIBs that stand where they stood, or below one that was moved, and of which something has changed.
  public let changed: [Entry]

  /// Compares two snapshots of a tree.
  ///
  /// - Complexity: linear in the number of RIBs.
  public init(from before: TreeSnapshot, to after: TreeSnapshot) {
    var matching = TreeMatching(before.nodes, after.nodes)
    matching.match()
    let (paths, formerPaths) = (TreePaths(after.nodes), TreePaths(before.nodes))
    var (attached, moved, changed): ([Entry], [Entry], [Entry]) = ([], [], [])
    for (index, node) in after.nodes.enumerated() {
      guard let former = matching.former[index] else {
        attached.append(Entry(path: paths[index], id: node.id, from: nil, changes: []))
        continue
      }
      let changes = before.nodes[former].changes(to: node)
      if matching.isMoved[index] {
        moved.append(Entry(path: paths[index], id: node.id, from: formerPaths[former], changes: changes))
      } else if !changes.isEmpty {
        changed.append(Entry(path: paths[index], id: node.id, from: nil, changes: changes))
      }
    }
    self.attached = attached
    self.moved = moved
    self.changed = changed
    detached = before.nodes.indices.filter { matching.later[$0] == nil }.map { index in
      Entry(path: formerPaths[index], id: before.nodes[index].id, from: nil, changes: [])
    }
  }

  /// Whether nothing has changed.
  public var isEmpty: Bool { attached.isEmpty && detached.isEmpty && moved.isEmpty && changed.isEmpty }
}

extension TreeSnapshot.Node {
  fileprivate func changes(to later: Self) -> [TreeDifference.Change] {
    var changes: [TreeDifference.Change] = []
    func compare(_ aspect: TreeDifference.Change.Aspect, _ before: [String], _ after: [String]) {
      if before != after { changes.append(TreeDifference.Change(aspect: aspect, before: before, after: after)) }
    }
    compare(.state, [state.rawValue], [later.state.rawValue])
    compare(.tasks, tasks.without(later.tasks), later.tasks.without(tasks))
    compare(.workers, workers.without(later.workers), later.workers.without(workers))
    compare(.subscriptions, [String(subscriptions)], [String(later.subscriptions)])
    compare(.summary, summary.map { [$0] } ?? [], later.summary.map { [$0] } ?? [])
    return changes
  }
}

extension [String] {
  /// These without those of others, each as often as it is there.
  fileprivate func without(_ others: [String]) -> [String] {
    if self == others { return [] }
    var counts: [String: Int] = [:]
    for other in others { counts[other, default: 0] += 1 }
    return filter { name in
      guard let count = counts[name], count > 0 else { return true }
      counts[name] = count - 1
      return false
    }
  }
}
