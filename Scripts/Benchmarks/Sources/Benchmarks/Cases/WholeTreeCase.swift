// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import Workloads

/// A tree of 119 RIBs, the size reported for a taxi app in production: built, checked to be active, and detached.
@MainActor
func wholeTreeCase() -> [Measurement] {
  let size = 119
  let root = RootRouter()
  let tree = Tree(root: root, configuration: TreeConfiguration(leakDetection: .off))
  tree.launch()
  let parent = BareParent()
  let count = 50
  let comparison = Comparison(runs: 200, operations: count) {
    for _ in 0..<count {
      for _ in 0..<size { parent.attach(buildBare(parent)) }
      parent.detachAll()
    }
  } _: {
    for _ in 0..<count {
      let top = root.buildTree(size)
      root.attachChild(top)
      root.detachChild(top)
    }
  }
  tree.end()
  return [Measurement("a tree of \(size) RIBs", comparison)]
}
