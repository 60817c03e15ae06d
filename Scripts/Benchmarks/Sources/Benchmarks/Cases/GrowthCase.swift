import RIBs
import Workloads

/// What a RIB costs to attach, detach and free in wide and in deep trees, beside objects that are linked by hand, and
/// how that grows: with the allocator of the C library, and with jemalloc if it is installed.
///
/// The former gives memory back to the kernel when it is free, and asks for it again, page by page, which on a virtual
/// machine takes most of the time of a large tree. Trees and bare objects are measured in processes of their own: what
/// the one leaves of a heap when it goes is what the other would get.
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

/// From a few RIBs to many.
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

  /// Measures one with many in turn with as many as it has in all, in trees with few each.
  func comparison(_ build: (Int) -> Void) -> Comparison {
    Comparison(runs: many > 100_000 ? 7 : 100, operations: many) {
      for _ in 0..<many / Growth.few { build(Growth.few) }
    } _: {
      build(many)
    }
  }
}

@MainActor
func growthOfSiblings() -> Comparison {
  inTree { root in Growth.siblings.comparison { attachSiblings(root, $0) } }
}

@MainActor
func growthOfLevels() -> Comparison {
  inTree { root in Growth.levels.comparison { attachLevels(root, $0) } }
}

func growthOfBareSiblings() -> Comparison {
  let parent = BareParent()
  return Growth.siblings.comparison { bareSiblings(parent, $0) }
}

func growthOfBareLevels() -> Comparison {
  let parent = BareParent()
  return Growth.levels.comparison { bareLevels(parent, $0) }
}

@MainActor
private func inTree(_ body: @MainActor (RootRouter) -> Comparison) -> Comparison {
  let root = RootRouter()
  let tree = Tree(root: root, configuration: TreeConfiguration(leakDetection: .off))
  tree.launch()
  defer { tree.end() }
  return body(root)
}

@MainActor
private func attachSiblings(_ root: RootRouter, _ count: Int) {
  let children = (0..<count).map { _ in
    let child = root.leafBuilder.build(withListener: root.interactor)
    root.attachChild(child)
    return child
  }
  for child in children { root.detachChild(child) }
}

private func bareSiblings(_ parent: BareParent, _ count: Int) {
  let children = (0..<count).map { _ in
    let child = buildBare(parent)
    parent.attach(child)
    return child
  }
  for child in children { parent.detach(child) }
}

@MainActor
private func attachLevels(_ root: RootRouter, _ count: Int) {
  let first = root.leafBuilder.build(withListener: root.interactor)
  root.attachChild(first)
  var last = first
  for _ in 1..<count {
    let next = root.leafBuilder.build(withListener: root.interactor)
    last.attachChild(next)
    last = next
  }
  root.detachChild(first)
}

/// A chain in which each holds the next one.
private func bareLevels(_ parent: BareParent, _ count: Int) {
  for _ in 0..<count { parent.attach(buildBare(parent)) }
  parent.detachAll()
}
