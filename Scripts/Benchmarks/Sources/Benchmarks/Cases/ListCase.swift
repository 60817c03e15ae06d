import RIBs
import RIBsLists
import Workloads

/// List differences in nanoseconds per element of the old list, compared with a plain implementation with a
/// dictionary and with the standard library. Each run alternates between many inputs, so that the branch predictor
/// can't learn them.
func listCase() throws -> [Measurement] {
  var measurements: [Measurement] = []
  var mixed: [Int: Double] = [:]
  var random = SystemRandomNumberGenerator()
  for count in [100, 1_000, 10_000, 100_000] {
    let inputs = count < 100_000 ? 64 : 8
    for kind in Change.allCases {
      let pairs = (0..<inputs).map { _ in kind.pair(count, &random) }
      let runs = max(1, 200_000 / (count * inputs))
      let operations = runs * inputs * count
      let comparison = try Comparison(runs: 15, operations: operations) { laps in
        for _ in 0..<runs {
          for (old, new) in pairs {
            keep(try DictionaryDifference(from: old, to: new).moves.count)
            if count >= 1_000 { laps.lap() }
          }
          laps.lap()
        }
      } _: { laps in
        for _ in 0..<runs {
          for (old, new) in pairs {
            keep(try ListDifference(from: old, to: new).moves.count)
            if count >= 1_000 { laps.lap() }
          }
          laps.lap()
        }
      }
      measurements.append(
        Measurement("difference, \(kind), \(count) elements, beside a dictionary", comparison, .atMost(0.5)))
      if kind == .mixed { mixed[count] = comparison.value }
      // It takes time proportional to the product of the length and the number of changes.
      guard count <= kind.limitOfStandardLibrary else { continue }
      let few = pairs.prefix(count < 1_000 ? 64 : 4)
      let standard = best(of: 3, operations: few.count * count) {
        for (old, new) in few { keep(new.difference(from: old).inferringMoves().count) }
      }
      measurements.append(
        Measurement(
          "difference, \(kind), \(count) elements, beside the standard library", comparison.value, over: standard))
    }
  }
  if let few = mixed[100], let many = mixed[10_000] {
    measurements.append(
      Measurement("difference, mixed, 10000 elements beside 100", many, over: few, .atMost(1.5)))
  }
  return measurements
}

private enum Change: String, CaseIterable, CustomStringConvertible {
  case mixed, shuffle, append

  var description: String { rawValue }

  var limitOfStandardLibrary: Int {
    switch self {
    case .mixed: 10_000
    case .shuffle: 1_000
    case .append: 100_000
    }
  }

  /// A list and its changed version; `mixed` is a tenth each of deletions, insertions and moves.
  func pair(_ count: Int, _ random: inout SystemRandomNumberGenerator) -> ([Item], [Item]) {
    switch self {
    case .mixed: return Lists.mixed(count, using: &random)
    case .shuffle:
      let old = Lists.items(count, using: &random)
      return (old, old.shuffled(using: &random))
    case .append:
      let old = Lists.items(count, using: &random)
      return (old, old + [Item(id: -1, value: 0)])
    }
  }
}

// MARK: Children synchronized with a list

/// An update of a hundred live children with ten deletions, insertions and moves each, compared with attaching and
/// detaching ten by hand.
@MainActor
func liveListCase() throws -> [Measurement] {
  let root = RowsRouter()
  let tree = Tree(root: root, configuration: TreeConfiguration(leakDetection: .off))
  tree.launch()
  var random = SystemRandomNumberGenerator()
  let pairs = (0..<64).map { _ in Change.mixed.pair(100, &random) }
  let bare = best(operations: 64) {
    for _ in pairs {
      for _ in 0..<10 {
        let child = RowRouter()
        root.attachChild(child)
        root.detachChild(child)
      }
    }
  }
  var ours = Double.infinity
  for _ in 0..<9 {
    var taken = Duration.zero
    for (old, new) in pairs {
      try root.list.update(old)
      taken += try ContinuousClock().measure { try root.list.update(new) }
    }
    ours = min(ours, taken.nanoseconds / 64)
  }
  tree.end()
  return [Measurement("update of 100 live children, beside ten attached and detached", ours, over: bare)]
}
