import RIBs
import Workloads

/// What a RIB costs to attach, detach and free in wide and in deep trees, beside objects that are linked by hand, and
/// how that grows.
@MainActor
func growthCase() -> [Measurement] {
  let siblings = [1_000, 100_000].map { count in (count, growth(of: "siblings", count, attachSiblings, bareSiblings)) }
  let levels = [1_000, 1_000_000].map { count in (count, growth(of: "levels", count, attachLevels, bareLevels)) }
  return [siblings, levels].flatMap { sizes in
    let (few, many) = (sizes[0], sizes[1])
    return sizes.map(\.1) + [
      Measurement(
        "\(many.1.name) beside \(few.0)", many.1.value, over: few.1.value, .atMost(1.5))
    ]
  }
}

/// Measures about a million RIBs in all, in trees of some size.
@MainActor
private func growth(
  of kind: String, _ count: Int, _ ours: (RootRouter, Int) -> Void, _ bare: (BareParent, Int) -> Void
) -> Measurement {
  let root = RootRouter()
  let tree = Tree(root: root, configuration: TreeConfiguration(leakDetection: .off))
  tree.launch()
  let parent = BareParent()
  let trees = max(1, 100_000 / count)
  let comparison = Comparison(runs: count > 100_000 ? 3 : 9, operations: trees * count) {
    for _ in 0..<trees { bare(parent, count) }
  } _: {
    for _ in 0..<trees { ours(root, count) }
  }
  tree.end()
  return Measurement("a RIB among \(count) \(kind)", comparison)
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
