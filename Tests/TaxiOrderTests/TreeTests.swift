// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RIBs
import RIBsTesting
import Testing

@testable import TaxiOrder
@testable import TaxiSimulation

@Suite("The tree of an order over all its stages", .folded)
struct TreeTests {
  /// The parents and children as a list that is generated from the sources.
  private func written() throws -> Set<String> {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/tree.md")
    var path: [Substring] = []
    var edges: Set<String> = []
    for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
      let dash = try #require(line.firstIndex(of: "-"))
      // Without the note of a RIB whose children are above.
      let name = line[dash...].dropFirst(2).prefix { $0 != ":" }
      path = path.prefix(line.distance(from: line.startIndex, to: dash) / 2) + [name]
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
          .generated(from: nil, to: nil, seed: seed), seed: seed, fault: fault.map { Fault($0) },
          inspector: TestTree.inspector)
        _ = try await order.run { event in
          guard case .activated(let path) = event, path.components.count > 1 else { return }
          seen.insert(path.components.suffix(2).joined(separator: " > "))
        }
      }
    }
    seen.formUnion(await seenInFleet())
    seen.formUnion(try await seenInSession())
    #expect(seen == (try written()))
  }

  /// The parents and children of a session in a server, whose rider is signed out.
  private func seenInSession() async throws -> Set<String> {
    let services = OrderServices(ScriptedService())
    let session = await TreeHost(configuration: .folded) {
      RiderSessionBuilder(dependency: SessionDependency(services)).build()
    }
    let nodes = await session.snapshot().nodes
    await session.shutdown()
    return Set(nodes.compactMap { node in node.parent.map { "\(nodes[$0].name) > \(node.name)" } })
  }

  /// The parents and children if several taxis serve orders.
  @MainActor
  private func seenInFleet() async -> Set<String> {
    let fleet = FleetWatch(taxis: 6, orders: 6, speed: 1_000_000, inspector: TestTree.inspector)
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
