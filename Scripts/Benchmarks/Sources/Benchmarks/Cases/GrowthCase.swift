// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Counting
import RIBs
import Workloads

/// The cost of attaching, detaching and freeing a RIB in wide and deep trees, and its growth, compared with objects
/// linked by hand. Measured with the allocator of the C library, and with jemalloc if it is installed.
///
/// The allocator of the C library may return free memory to the kernel and request it again page by page, which on a
/// virtual machine takes as long as everything else. Trees and bare objects are measured in separate processes,
/// because the state in which one leaves the heap affects the other.
func growthCase() throws -> [Measurement] {
  var all = try Growth.all.flatMap { growth in
    growth.measurements(trees: try growth.trees.measuredAlone(), bare: try growth.bare.measuredAlone())
  }
  for growth in Growth.all {
    guard let trees = try growth.trees.measuredWithJemalloc(), let bare = try growth.bare.measuredWithJemalloc() else {
      note("growth is not measured with jemalloc (Debian: libjemalloc2)")
      break
    }
    all += growth.measurements(trees: trees, bare: bare, ", with jemalloc")
  }
  return all
}

/// A growth from a few RIBs to many.
private struct Growth {
  let kind: String
  let many: Int
  let trees: Apart
  let bare: Apart

  static let few = 1_000
  static let siblings = Growth(kind: "siblings", many: 100_000, trees: .siblings, bare: .bareSiblings)
  static let levels = Growth(kind: "levels", many: 1_000_000, trees: .levels, bare: .bareLevels)
  static let all = [siblings, levels]

  func measurements(trees: Apart.Reading, bare: Apart.Reading, _ allocator: String = "") -> [Measurement] {
    [
      Measurement("a RIB among \(Growth.few) \(kind)\(allocator)", trees.baseline, over: bare.baseline),
      Measurement("a RIB among \(many) \(kind)\(allocator)", trees.value, over: bare.value),
      Measurement(
        "a RIB among \(many) \(kind) beside \(Growth.few)\(allocator)", trees.value, over: trees.baseline,
        .atMost(1.5)),
    ]
  }

  /// Compares one tree with many RIBs and trees with few RIBs each, of the same total, by turns.
  func comparison(_ build: (_ count: Int, _ laps: inout Laps) -> Void) -> Comparison {
    Comparison(runs: many > 100_000 ? 7 : 25, operations: many) { laps in
      for _ in 0..<many / Growth.few { build(Growth.few, &laps) }
    } _: { laps in
      build(many, &laps)
    }
  }
}

@MainActor
func growthOfSiblings() -> Comparison {
  inTree { root in Growth.siblings.comparison { attachSiblings(root, $0, &$1) } }
}

@MainActor
func growthOfLevels() -> Comparison {
  inTree { root in Growth.levels.comparison { attachLevels(root, $0, &$1) } }
}

func growthOfBareSiblings() -> Comparison {
  let parent = BareParent()
  return Growth.siblings.comparison { bareSiblings(parent, $0, &$1) }
}

func growthOfBareLevels() -> Comparison {
  let parent = BareParent()
  return Growth.levels.comparison { bareLevels(parent, $0, &$1) }
}

@MainActor
private func inTree(_ body: @MainActor (RootRouter) -> Comparison) -> Comparison {
  let root = RootRouter()
  let tree = Tree(root: root, configuration: TreeConfiguration(leakDetection: .off))
  tree.launch()
  defer { tree.end() }
  return body(root)
}

// Each works in small parts where possible.

@MainActor
private func attachSiblings(_ root: RootRouter, _ count: Int, _ laps: inout Laps) {
  siblings(count, &laps) {
    let child = root.leafBuilder.build(withListener: root.interactor)
    root.attachChild(child)
    return child
  } detach: {
    root.detachChild($0)
  }
}

private func bareSiblings(_ parent: BareParent, _ count: Int, _ laps: inout Laps) {
  siblings(count, &laps) {
    let child = buildBare(parent)
    parent.attach(child)
    return child
  } detach: {
    parent.detach($0)
  }
}

/// Attaches all, detaches all, and releases all, first ones first.
@inline(__always)
private func siblings<Child>(_ count: Int, _ laps: inout Laps, attach: () -> Child, detach: (Child) -> Void) {
  var parts = (0..<count / Growth.few).map { _ in
    let part = (0..<Growth.few).map { _ in attach() }
    laps.lap()
    return part
  }
  for part in parts {
    part.forEach(detach)
    laps.lap()
  }
  for index in parts.indices {
    parts[index] = []
    laps.lap()
  }
}

@MainActor
private func attachLevels(_ root: RootRouter, _ count: Int, _ laps: inout Laps) {
  attachAndDetachLevels(root, count, &laps)
  laps.lap()
}

/// Releases everything when it returns.
@MainActor
@inline(never)
private func attachAndDetachLevels(_ root: RootRouter, _ count: Int, _ laps: inout Laps) {
  let first = root.leafBuilder.build(withListener: root.interactor)
  root.attachChild(first)
  var last = first
  for index in 1..<count {
    let next = root.leafBuilder.build(withListener: root.interactor)
    last.attachChild(next)
    last = next
    if index.isMultiple(of: Growth.few) { laps.lap() }
  }
  laps.lap()
  root.detachChild(first)
}

/// A chain in which each object holds the next one.
private func bareLevels(_ parent: BareParent, _ count: Int, _ laps: inout Laps) {
  for index in 1...count {
    parent.attach(buildBare(parent))
    if index.isMultiple(of: Growth.few) { laps.lap() }
  }
  parent.detachAll()
  laps.lap()
}
