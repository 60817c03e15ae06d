import RIBs
import Workloads

/// What a RIB costs to attach, detach and free in wide and in deep trees, beside objects that are linked by hand, and
/// how that grows: with the allocator of the C library, and with jemalloc if it is installed.
///
/// The former gives memory back to the kernel when it is free, and asks for it again, page by page, which on a virtual
/// machine takes most of the time of a large tree.
func growthCase() async throws -> [Measurement] {
  let ours = try await Apart.growth.measured()
  let jemalloc = try await Apart.growth.measuredWithJemalloc()
  if jemalloc == nil { note("growth is not measured with jemalloc (Debian: libjemalloc2)") }
  return measurements(of: ours, "") + measurements(of: jemalloc ?? [], ", with jemalloc")
}

private let sizes = [(1_000, "siblings"), (100_000, "siblings"), (1_000, "levels"), (1_000_000, "levels")]

private func measurements(of readings: [Apart.Reading], _ allocator: String) -> [Measurement] {
  let rows = zip(sizes, readings).map { size, reading in
    Measurement("a RIB among \(size.0) \(size.1)\(allocator)", reading.value, over: reading.baseline)
  }
  return stride(from: 0, to: rows.count, by: 2).flatMap { index in
    let (few, many) = (rows[index], rows[index + 1])
    let name = "a RIB among \(sizes[index + 1].0) \(sizes[index].1) beside \(sizes[index].0)\(allocator)"
    return [few, many, Measurement(name, many.value, over: few.value, .atMost(1.5))]
  }
}

/// One for each of the sizes.
@MainActor
func growthOfTrees() -> [Comparison] {
  sizes.map { count, kind in
    kind == "levels" ? growth(to: count, attachLevels, bareLevels) : growth(to: count, attachSiblings, bareSiblings)
  }
}

/// Measures about a hundred thousand RIBs in all, in trees of some size, if that is not larger.
@MainActor
private func growth(
  to count: Int, _ ours: (RootRouter, Int) -> Void, _ bare: (BareParent, Int) -> Void
) -> Comparison {
  let root = RootRouter()
  let tree = Tree(root: root, configuration: TreeConfiguration(leakDetection: .off))
  tree.launch()
  defer { tree.end() }
  let parent = BareParent()
  let trees = max(1, 100_000 / count)
  return Comparison(runs: count > 100_000 ? 5 : 9, operations: trees * count) {
    for _ in 0..<trees { bare(parent, count) }
  } _: {
    for _ in 0..<trees { ours(root, count) }
  }
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
