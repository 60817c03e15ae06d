import RIBs
import RIBsInspector
import Workloads

/// A snapshot and its text, for each RIB of trees of a thousand to a million, beside a walk by hand that writes as many
/// lines.
@MainActor
func snapshotCase() -> [Measurement] {
  [1_000, 100_000, 1_000_000].flatMap { size in
    let root = RootRouter()
    let tree = Tree(root: root, configuration: TreeConfiguration(leakDetection: .off))
    tree.launch()
    root.attachChild(root.buildTree(size - 1, width: 10))
    let runs = size < 1_000_000 ? 9 : 3
    let taking = Comparison(runs: runs, operations: size) {
      keep(names(below: root))
    } _: {
      keep(tree.snapshot())
    }
    let snapshot = tree.snapshot()
    let writing = Comparison(runs: runs, operations: 1) {
      keep(names(below: root).map { $0 + "\n" }.joined())
    } _: {
      keep(tree.snapshot().text())
    }
    keep(snapshot)
    tree.end()
    return [
      Measurement("snapshot of \(size) RIBs, for each", taking, .valueAtMost(300)),
      Measurement(
        "snapshot of \(size) RIBs and its text", writing.value / 1e6, over: writing.baseline / 1e6, unit: "ms",
        size == 1_000_000 ? .valueAtMost(2_000) : nil),
    ]
  }
}

/// The names of all RIBs, as one would collect them by hand.
@MainActor
private func names(below root: RootRouter) -> [String] {
  var names: [String] = []
  var waiting: [any Routing] = [root]
  while let next = waiting.popLast() {
    names.append(String(describing: type(of: next)))
    waiting += next.children
  }
  return names
}
