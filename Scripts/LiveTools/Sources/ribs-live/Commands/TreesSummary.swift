// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsInspector

/// Counts of the trees of a process, and the most remarkable ones. `ribs ps --summary` prints it.
struct TreesSummary: Encodable {
  /// The trees of one root in one state.
  private struct Kind: Encodable {
    let root: String
    let state: String
    var trees = 0
    var ribs = 0
    var tasks = 0
  }

  private struct Remarkable: Encodable {
    let tree: InspectedTree.ID
    let name: String
    let age: String
    let ribs: Int
    let tasks: Int
  }

  private let pid: Int32
  private let program: String
  private var roots: [Kind] = []
  private var oldest: Remarkable?
  private var largest: Remarkable?
  /// The tree with the most running tasks; nil if none has one.
  private var busiest: Remarkable?
  private var age = 0.0

  private enum CodingKeys: CodingKey { case pid, program, roots, oldest, largest, busiest }

  init(of process: InspectedProcess) {
    pid = process.id
    program = process.name
  }

  mutating func add(_ tree: InspectedTree, _ snapshot: TreeSnapshot) {
    guard let root = snapshot.nodes.first else { return }
    let (ribs, tasks) = (snapshot.nodes.count, snapshot.nodes.reduce(0) { $0 + $1.tasks.count })
    let state = root.state.rawValue
    let index = roots.firstIndex { $0.root == root.name && $0.state == state } ?? roots.count
    if index == roots.count { roots.append(Kind(root: root.name, state: state)) }
    roots[index].trees += 1
    roots[index].ribs += ribs
    roots[index].tasks += tasks
    let remarkable = Remarkable(tree: tree.id, name: tree.name, age: tree.ageText, ribs: ribs, tasks: tasks)
    if oldest == nil || tree.age > age { (oldest, age) = (remarkable, tree.age) }
    if ribs > largest?.ribs ?? 0 { largest = remarkable }
    if tasks > busiest?.tasks ?? 0 { busiest = remarkable }
  }

  static func text(_ summaries: [TreesSummary]) -> String {
    guard !summaries.isEmpty else { return "" }
    var counts = Table(["PID", "PROGRAM", "ROOT", "STATE", "TREES#", "RIBS#", "TASKS#"])
    var trees = Table(["PID", "PROGRAM", "", "TREE", "ROOT", "AGE", "RIBS#", "TASKS#"])
    for summary in summaries {
      let start = [String(summary.pid), summary.program.oneLine]
      for kind in summary.roots.sorted(by: { $0.trees > $1.trees }) {
        counts.add(start + [kind.root.oneLine, kind.state, String(kind.trees), String(kind.ribs), String(kind.tasks)])
      }
      if summary.roots.isEmpty { counts.add(start + ["-", "-", "0", "0", "0"]) }
      for (title, tree) in [("oldest", summary.oldest), ("largest", summary.largest), ("busiest", summary.busiest)] {
        guard let tree else { continue }
        trees.add(
          start + [title, String(tree.tree), tree.name.oneLine, tree.age, String(tree.ribs), String(tree.tasks)])
      }
    }
    return summaries.allSatisfy { $0.oldest == nil } ? counts.text() : counts.text() + "\n" + trees.text()
  }
}
