// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import Workloads

/// Attaching, detaching and freeing one RIB: alone, while leaks are looked for, and observed.
///
/// Two targets are missed. Looking for leaks takes 2.3 times the objects by hand: the weak reference to each RIB that has
/// resigned has a side table, and the path is recorded while the RIB still has one. An observed cycle takes 4.3 times: it
/// makes five events, each with a path, which walks up the tree, and a time.
@MainActor
func attachCase() -> [Measurement] {
  let seen = Counter()
  let kinds: [(String, TreeConfiguration, Target?)] = [
    ("attach, detach, free", TreeConfiguration(leakDetection: .off), .atMost(1.3)),
    ("attach, detach, free, looking for leaks", TreeConfiguration(leakDetection: .after(.seconds(5))), .atMost(1.6)),
    (
      "attach, detach, free, observed",
      TreeConfiguration(leakDetection: .off, onEvent: { [seen] _ in seen.add() }), .atMost(1.8)
    ),
  ]
  return kinds.map { name, configuration, target in
    let root = RootRouter()
    let tree = Tree(root: root, configuration: configuration)
    tree.launch()
    let parent = BareParent()
    let count = 2_000
    let comparison = Comparison(runs: 1_000, operations: count) {
      bareLoop(parent, count)
    } _: {
      root.attachAndDetach(count)
    }
    tree.end()
    return Measurement(name, comparison, target)
  }
}
