// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Heap
import RIBs
import Workloads

/// Heap size of a live RIB, compared with the same objects linked by hand; empty if the C library does not report it.
@MainActor
func memoryCase() -> [Measurement] {
  guard heap_in_use() > 0 else { return [] }
  let count = 1_000_000
  let parent = BareParent()
  let bare = grown(by: count) { for _ in 0..<count { parent.attach(buildBare(parent)) } }
  parent.detachAll()
  let root = RootRouter()
  let tree = Tree(root: root)
  tree.launch()
  let ours = grown(by: count) { root.attach(count) }
  tree.end()
  // The target is missed: 352 bytes, and a fraction of what the parent takes. 48 of them are the side table of the weak
  // reference that an interactor has to its router, and the allocator rounds up: a word in a router takes 16. 320 bytes
  // would take an interactor and a router without the fields for bound work, for containers and for the name in a tree.
  return [Measurement("heap of a live RIB among \(count)", ours, over: bare, unit: "bytes", .valueAtMost(320))]
}

/// The increase of used heap after the closure, per object.
private func grown(by count: Int, _ body: () -> Void) -> Double {
  let before = heap_in_use()
  body()
  return Double(heap_in_use() - before) / Double(count)
}
