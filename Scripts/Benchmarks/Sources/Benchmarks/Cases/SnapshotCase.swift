// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsInspector
import Workloads

/// A snapshot and its text for trees of a thousand to a million RIBs, compared with a manual traversal that writes as
/// many lines; also its memory use.
@MainActor
func snapshotCase() throws -> [Measurement] {
  try [1_000, 100_000, 1_000_000].flatMap { size in
    let root = TellingRouter()
    let tree = Tree(root: root, configuration: TreeConfiguration(leakDetection: .off))
    tree.launch()
    root.grow(to: size)
    defer { tree.end() }
    let before = try ResidentMemory.now()
    try ResidentMemory.forgetPeak()
    let runs = size < 1_000_000 ? 9 : 3
    let holding = best(of: runs, operations: size) { keep(tree.snapshot()) }
    let writing = best(of: runs, operations: 1) { keep(tree.snapshot().text()) }
    let peak = try ResidentMemory.peak()
    let walking = best(of: runs, operations: size) { keep(names(below: root)) }
    let joining = best(of: runs, operations: 1) { keep(names(below: root).joined(separator: "\n")) }
    let isLarge = size == 1_000_000
    return [
      Measurement("snapshot of \(size) RIBs, for each", holding, over: walking, .valueAtMost(300)),
      Measurement(
        "snapshot of \(size) RIBs and its text", writing / 1e6, over: joining / 1e6, unit: "ms",
        isLarge ? .valueAtMost(2_000) : nil),
      Measurement(
        "memory with snapshot and text of \(size) RIBs, beside the tree alone", peak / 1_048_576,
        over: before / 1_048_576, unit: "MiB", isLarge ? .valueAtMost(1_024) : nil),
    ]
  }
}

/// A RIB with a summary, which one in ten has.
private final class TellingInteractor: Interactor {
  override var treeSummary: String? { "under way" }
}

private final class QuietRouter: Router<Interactor> {}

private final class TellingRouter: Router<TellingInteractor> {
  init() { super.init(interactor: TellingInteractor()) }

  /// Attaches RIBs up to a total of `size` including itself: nine without summaries below each one with a summary.
  func grow(to size: Int) {
    var parent = self
    for index in 1..<size {
      if index % 10 == 0 {
        let next = TellingRouter()
        // ribs:ignore attach-without-detach: the tree is discarded as a whole
        (index % 1_000 == 0 ? self : parent).attachChild(next)
        parent = next
      } else {
        parent.attachChild(QuietRouter(interactor: Interactor()))
      }
    }
  }
}

/// The names of all RIBs, collected by hand.
@MainActor
private func names(below root: any Routing) -> [String] {
  var names: [String] = []
  var waiting: [any Routing] = [root]
  while let next = waiting.popLast() {
    names.append(String(describing: type(of: next)))
    waiting += next.children
  }
  return names
}
