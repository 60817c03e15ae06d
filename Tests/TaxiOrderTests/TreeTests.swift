import Foundation
import RIBs
import Testing

@testable import TaxiOrder

@Suite("The tree of an order over all its stages")
struct TreeTests {
  /// The parents and children as a list that is generated from the sources.
  private func written() throws -> Set<String> {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/tree.md")
    var path: [Substring] = []
    var edges: Set<String> = []
    for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
      let dash = try #require(line.firstIndex(of: "-"))
      path = path.prefix(line.distance(from: line.startIndex, to: dash) / 2) + [line[dash...].dropFirst(2)]
      if path.count > 1 { edges.insert(path.suffix(2).joined(separator: " > ")) }
    }
    return edges
  }

  @Test("matches the tree derived from the sources")
  @MainActor
  func sameAsInTheSources() async throws {
    var seen: Set<String> = []
    for fault in [nil] + FaultKind.allCases {
      for seed in [1, 2] as [UInt64] {
        let order = WatchedOrder(
          .generated(from: nil, to: nil, seed: seed), seed: seed, fault: fault.map { Fault($0) })
        _ = try await order.run { event in
          guard case .activated(let path) = event, path.components.count > 1 else { return }
          seen.insert(path.components.suffix(2).joined(separator: " > "))
        }
      }
    }
    seen.formUnion(await seenInFleet())
    #expect(seen == (try written()))
  }

  /// The parents and children if several taxis serve orders.
  @MainActor
  private func seenInFleet() async -> Set<String> {
    let fleet = FleetWatch(taxis: 6, orders: 6, speed: 1_000_000)
    let presenter = EdgePresenter { fleet.snapshot }
    _ = await fleet.run(presenter, measure: { nil })
    return presenter.edges
  }
}

/// Records the tree of a fleet whenever it is shown.
private final class EdgePresenter: FleetPresentable {
  private(set) var edges: Set<String> = []
  private let snapshot: () -> TreeSnapshot?

  init(_ snapshot: @escaping () -> TreeSnapshot?) { self.snapshot = snapshot }

  func report(_ event: FleetEvent) {
    guard let nodes = snapshot()?.nodes else { return }
    for node in nodes { if let parent = node.parent { edges.insert("\(nodes[parent].name) > \(node.name)") } }
  }

  func show(_ viewModel: FleetViewModel) {}
}
