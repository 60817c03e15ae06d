// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TaxiOrder
@testable import TaxiSimulation

@Suite("The taxis near a rider", .folded)
struct NearbyTaxisTests {
  private let timeline: Timeline

  init() {
    var random = SeededGenerator(seed: 1, order: 1)
    timeline = Timeline(of: .generated(seed: 1), random: &random)
  }

  @Test(
    "have the requested number, unique ids, and the nearest first", .noTrees, arguments: [0, 1, 3, 100, 5_000])
  func order(count: Int) {
    let taxis = timeline.nearbyTaxis(count, at: .milliseconds(4_500))
    let distances = taxis.map { Movement(from: $0.position, to: timeline.pickup).distance }
    #expect(taxis.count == count)
    #expect(Set(taxis.map(\.id)).count == count)
    #expect(distances == distances.sorted())
    #expect(taxis == timeline.nearbyTaxis(count, at: .milliseconds(4_500)))
  }

  @Test("move between polls, and a quarter of them are replaced", .noTrees)
  func changes() {
    var polls: [[Int: Position]] = []
    for second in stride(from: 0, to: 100, by: 10) {
      let taxis = timeline.nearbyTaxis(40, at: .seconds(second))
      polls.append(Dictionary(uniqueKeysWithValues: taxis.map { ($0.id, $0.position) }))
    }
    for (poll, next) in zip(polls, polls.dropFirst()) {
      let stayed = Set(poll.keys).intersection(next.keys)
      #expect(stayed.count == 30)
      #expect(stayed.allSatisfy { poll[$0] != next[$0] })
    }
    // A removed taxi never returns.
    let (all, expected) = (Set(polls.flatMap(\.keys)), 40 + 9 * 10)
    #expect(all.count == expected)
  }

  @Test("are RIBs on the map of an order, without effect on its course and requests", arguments: [0, 1, 50])
  func orders(fleet: Int) async {
    let ribCounter = RIBCounter()
    var order = OrderRun.folded(trip: .generated(seed: 1), seed: 1, ribCounter: ribCounter)
    order.fleet = fleet
    #expect(await order.run() == .sound(.completed(charged: Trip.generated(seed: 1).bill.total), requests: 12))
    #expect(ribCounter.peak >= fleet && ribCounter.count == 0)
  }
}
