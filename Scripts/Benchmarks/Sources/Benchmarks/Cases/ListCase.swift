// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

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

/// The same by hand: a dictionary of the children by identity. The children keep the positions in which they were attached,
/// since a router moves only the children of a list.
@MainActor
private final class RowsByHand {
  private let router: Router<Interactor>
  private var rows: [Int: RowRouter] = [:]
  private var items: [Item] = []

  init(of router: Router<Interactor>) { self.router = router }

  func update(_ new: [Item]) {
    let previous = items
    items = new
    let kept = Set(new.map(\.id))
    for item in previous.reversed() where !kept.contains(item.id) {
      if let row = rows.removeValue(forKey: item.id) { router.detachChild(row) }
    }
    let old = Dictionary(uniqueKeysWithValues: previous.lazy.map { ($0.id, $0) })
    for item in new {
      if let row = rows[item.id] {
        if let previous = old[item.id], previous != item { row.didUpdate(to: item, from: previous) }
      } else {
        let row = RowRouter()
        rows[item.id] = row
        router.attachChild(row)
      }
    }
  }
}

/// An update of a hundred live children with ten deletions, insertions and moves each, compared with the same by hand.
@MainActor
func liveListCase() throws -> [Measurement] {
  let (root, handRoot) = (RowsRouter(), RowsRouter())
  let trees = [root, handRoot].map { Tree(root: $0, configuration: TreeConfiguration(leakDetection: .off)) }
  for tree in trees { tree.launch() }
  let byHand = RowsByHand(of: handRoot)
  var random = SystemRandomNumberGenerator()
  let pairs = (0..<64).map { _ in Change.mixed.pair(100, &random) }
  var comparison = Comparison()
  for _ in 0..<50 {
    var (ours, theirs) = (Duration.zero, Duration.zero)
    for (old, new) in pairs {
      byHand.update(old)
      theirs += ContinuousClock().measure { byHand.update(new) }
      try root.list.update(old)
      ours += try ContinuousClock().measure { try root.list.update(new) }
    }
    comparison.note(ours, over: theirs, operations: pairs.count)
  }
  for tree in trees { tree.end() }
  return [Measurement("update of 100 live children, beside a dictionary by hand", comparison, .atMost(1.2))]
}
