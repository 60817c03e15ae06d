// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

/// Matches the RIBs of two snapshots of a tree.
struct TreeMatching {
  private struct Kind: Hashable {
    let name: String
    let router: String
    let interactor: String
    let label: String?

    /// - Parameter isLabeled: whether RIBs with different labels are of different kinds.
    init(_ node: TreeSnapshot.Node, isLabeled: Bool = true) {
      label = isLabeled ? node.label : nil
      name = node.name
      router = node.router
      interactor = node.interactor
    }
  }

  /// A match key for a RIB without an id: its parent in the later snapshot and its kind.
  private struct Place: Hashable {
    let parent: Int?
    let kind: Kind
  }

  private let before: [TreeSnapshot.Node]
  private let after: [TreeSnapshot.Node]
  /// For each RIB of the later snapshot, its index in the earlier one.
  private(set) var former: [Int?]
  /// For each RIB of the earlier snapshot, its index in the later one.
  private(set) var later: [Int?]
  /// For each RIB of the later snapshot, whether it had another parent in the earlier one.
  private(set) var isMoved: [Bool]

  init(_ before: [TreeSnapshot.Node], _ after: [TreeSnapshot.Node]) {
    self.before = before
    self.after = after
    former = Array(repeating: nil, count: after.count)
    later = Array(repeating: nil, count: before.count)
    isMoved = Array(repeating: false, count: after.count)
  }

  mutating func match() {
    matchIDs()
    // RIBs that have not been active yet. They receive an id on activation.
    matchPlaces(of: before.map { $0.id == nil }, in: after.map { _ in true })
    matchMoved()
    // Descendants of moved RIBs have new ids too.
    matchPlaces(of: before.map { _ in true }, in: belowMoved())
    for (index, node) in after.enumerated() {
      guard let old = former[index] else { continue }
      isMoved[index] = before[old].parent != node.parent.flatMap { former[$0] }
    }
  }

  private mutating func pair(_ old: Int, _ new: Int) {
    former[new] = old
    later[old] = new
  }

  /// Pairs RIBs of the same id and kind.
  private mutating func matchIDs() {
    var known: [NodeID: Int] = [:]
    for (index, node) in before.enumerated() {
      if let id = node.id { known[id] = index }
    }
    for (index, node) in after.enumerated() {
      guard let id = node.id, let old = known[id],
        Kind(before[old], isLabeled: false) == Kind(node, isLabeled: false)
      else { continue }
      pair(old, index)
    }
  }

  /// Pairs RIBs of the same kind below the same parent, in order, from the top down.
  ///
  /// - Parameters:
  ///   - isSought: for each earlier RIB, whether it needs a match.
  ///   - mayBe: for each later RIB, whether it is a candidate.
  private mutating func matchPlaces(of isSought: [Bool], in mayBe: [Bool]) {
    var waiting: [Place: [Int]] = [:]
    for index in before.indices.reversed() where later[index] == nil && isSought[index] {
      waiting[Place(parent: before[index].parent, kind: Kind(before[index])), default: []].append(index)
    }
    for (index, node) in after.enumerated() where former[index] == nil && mayBe[index] {
      if let parent = node.parent, former[parent] == nil { continue }
      let place = Place(parent: node.parent.flatMap { former[$0] }, kind: Kind(node))
      guard let old = waiting[place]?.popLast() else { continue }
      pair(old, index)
    }
  }

  /// Pairs RIBs that were detached from one parent and attached to another, without their descendants.
  private mutating func matchMoved() {
    var gone: [Kind: [Int]] = [:]
    for index in before.indices.reversed() where later[index] == nil {
      guard let parent = before[index].parent, later[parent] != nil else { continue }
      gone[Kind(before[index]), default: []].append(index)
    }
    for (index, node) in after.enumerated() where former[index] == nil {
      guard let parent = node.parent, let formerParent = former[parent] else { continue }
      guard let old = gone[Kind(node)]?.last, before[old].parent != formerParent else { continue }
      gone[Kind(node)]?.removeLast()
      pair(old, index)
      isMoved[index] = true
    }
  }

  /// For each later RIB, whether it is a descendant of a moved one.
  private func belowMoved() -> [Bool] {
    var isBelow: [Bool] = []
    isBelow.reserveCapacity(after.count)
    for node in after { isBelow.append(node.parent.map { isMoved[$0] || isBelow[$0] } ?? false) }
    return isBelow
  }
}
