import RIBs
import Workloads

/// Attaching, detaching and freeing one RIB, without and with an observer.
@MainActor
func attachCase() -> [Measurement] {
  let seen = Counter()
  let kinds: [(String, TreeConfiguration, Target?)] = [
    ("attach, detach, free", TreeConfiguration(leakDetection: .off), .atMost(1.5)),
    ("attach, detach, free, looking for leaks", TreeConfiguration(leakDetection: .after(.seconds(5))), nil),
    (
      "attach, detach, free, observed",
      TreeConfiguration(leakDetection: .off, onEvent: { [seen] _ in seen.add() }), nil
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
