// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

public import RIBs

/// The difference between two snapshots of a tree.
///
/// ```swift
/// let difference = TreeDifference(from: before, to: after)
/// print(difference.text())
/// ```
///
/// RIBs are matched by their ids. A RIB that is detached and attached again gets a new id. It counts as moved if a
/// RIB of the same name, label, router and interactor was detached from one parent and attached to another; its descendants
/// are then matched below it. RIBs without an id, which have not been active yet, are matched by type and order below
/// their parent.
public struct TreeDifference: Sendable, Hashable, Codable {
  /// A changed aspect of a RIB.
  public struct Change: Sendable, Hashable, Codable {
    /// The aspects that are compared. Age is not one of them.
    public enum Aspect: String, Sendable, Hashable, Codable, CaseIterable {
      /// Its lifecycle state.
      case state
      /// Its running tasks.
      case tasks
      /// Its running workers.
      case workers
      /// The number of subscriptions bound to it.
      case subscriptions
      /// The number of its restarts.
      case restarts
      /// Its summary.
      case summary
    }

    /// The aspect that changed.
    public let aspect: Aspect
    /// The old value. For tasks and workers, those that ended, one element each.
    public let before: [String]
    /// The new value. For tasks and workers, those that started, one element each.
    public let after: [String]
  }

  /// A RIB that was attached, detached, moved or changed.
  public struct Entry: Sendable, Hashable, Codable {
    /// The RIB's path: in the earlier snapshot if it was detached, otherwise in the later one. At most the last 64
    /// names.
    public let path: String
    /// The RIB's id: in the earlier snapshot if it was detached, otherwise in the later one.
    public let id: NodeID?
    /// For a moved RIB, its earlier path.
    public let from: String?
    /// Changes of a RIB that is in both snapshots.
    public let changes: [Change]
  }

  /// RIBs that were attached, each before its descendants.
  public let attached: [Entry]
  /// RIBs that were detached, each before its descendants.
  public let detached: [Entry]
  /// RIBs that have another parent. Their descendants are not listed.
  public let moved: [Entry]
  /// Other RIBs in both snapshots with at least one change.
  public let changed: [Entry]

  /// Compares two snapshots of a tree.
  ///
  /// - Complexity: O(*n*) in the number of RIBs.
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
    compare(.restarts, restarts.map { ["\($0)"] } ?? [], later.restarts.map { ["\($0)"] } ?? [])
    compare(.summary, summary.map { [$0] } ?? [], later.summary.map { [$0] } ?? [])
    return changes
  }
}

extension [String] {
  /// The multiset difference, in the order of this array.
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
