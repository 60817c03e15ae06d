// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting
import Testing

@testable import TaxiOrder

@Suite("The parents of other RIBs, each alone", .folded)
final class ParentRIBTests: LoneRIB {
  init() { super.init(recording: [.calls, .failures, .workers, .time]) }

  @Test("LoggedOut waits for the rider to log in")
  func loggedOut() {
    launch("LoggedOut")
    test.advance(by: .seconds(60))
    finish("› Welcome: please log in", "4.0 seconds later", "Parent.loggedOutDidLogIn()")
  }

  @Test("Map polls the taxis nearby while they are shown, and never afterwards")
  func map() {
    let map = launch { dependencies, _ in MapBuilder(dependency: dependencies).build() }
    test.advance(by: .seconds(21))
    #expect((map.viewControllable as? MapViewController)?.pins.keys.sorted() == [100])
    dependencies.mode.accept(.hidden)
    test.advance(by: .seconds(3600))
    #expect((map.viewControllable as? MapViewController)?.pins == [:])
    #expect(dependencies.service.requests == [.nearbyTaxis, .nearbyTaxis, .nearbyTaxis])
    finish(
      """
      Map worker NearbyTaxisWorker started
      0.5 seconds later
      › 1 taxi on the map
      20.5 seconds later
      › No taxis on the map
      Map worker NearbyTaxisWorker stopped
      """)
  }

  @Test("Map shows no taxis while polls fail, and continues to poll")
  func mapFails() {
    dependencies.service.change { $0.failure = ServiceUnavailable() }
    launch("Map")
    test.advance(by: .seconds(1))
    dependencies.service.change { $0.failure = nil }
    test.advance(by: .seconds(10))
    #expect(dependencies.service.requests == [.nearbyTaxis, .nearbyTaxis])
    #expect(test.transcript.lines.contains("› 1 taxi on the map"))
    test.skip()
    finish()
  }

  @Test("Map has a RIB for each taxi, which follows it from poll to poll")
  func fleet() {
    let taxis = (100..<103).map { NearbyTaxi(id: $0, position: Position(east: 0, north: 0)) }
    let moved = [taxis[2], taxis[0]].map { NearbyTaxi(id: $0.id, position: Position(east: 30, north: 0)) }
    dependencies.service.change { $0.nearbyTaxis = taxis }
    let map = launch { dependencies, _ in MapBuilder(dependency: dependencies).build() }
    test.advance(by: .seconds(1))
    test.expectTree("Map\n  NearbyTaxi 100\n  NearbyTaxi 101\n  NearbyTaxi 102")
    dependencies.service.change { $0.nearbyTaxis = moved }
    test.advance(by: .seconds(10))
    test.expectTree("Map\n  NearbyTaxi 102\n  NearbyTaxi 100")
    let pins = (map.viewControllable as? MapViewController)?.pins
    #expect(pins == [100: Position(east: 30, north: 0), 102: Position(east: 30, north: 0)])
    #expect(
      map.children.compactMap { ($0.interactable as? NearbyTaxiInteractor)?.treeSummary } == [
        "30 m so far", "30 m so far",
      ])
    test.skip()
    finish()
  }

  @Test("Map reports two taxis with one number, and keeps the current ones")
  func repeatedTaxi() {
    let taxi = NearbyTaxi(id: 100, position: Position(east: 0, north: 0))
    launch("Map")
    test.advance(by: .seconds(1))
    test.skip()
    dependencies.service.change { $0.nearbyTaxis = [taxi, taxi] }
    test.advance(by: .seconds(10))
    test.expect(
      """
      10.0 seconds later
      › The map stays as it is: The list has the identity 100 twice, at 0 and at 1. Remove one of them, or give each \
      element its own identity.
      """)
    test.expectTree("Map\n  NearbyTaxi 100")
    finish()
  }

  @Test("NearbyTaxi is on the map while it is active")
  func nearbyTaxi() {
    let taxi = NearbyTaxi(id: 7, position: Position(east: 1, north: 2))
    _ = launch { dependencies, _ in NearbyTaxiBuilder(dependency: dependencies).build(taxi) }
    #expect(dependencies.map.pins == [7: Position(east: 1, north: 2)])
    finish()
    #expect(dependencies.map.pins == [:])
  }

  @Test("Order has the stages that fail restarted, and they repeat their requests with the same keys")
  func restartedStages() {
    restart(upTo: 2)
    launch("Order")
    for request in [Request.taxi, .status, .payment] {
      test.skip()
      dependencies.service.change { $0.failures = [request: ServiceUnavailable()] }
      test.settle()
      while let next = test.clock.deadlines.first, !test.transcript.lines.contains(where: { $0.contains(" failed") }) {
        test.advance(by: test.clock.now.duration(to: next))
      }
      #expect(test.transcript.lines.contains { $0.hasSuffix(" failed: the service is unavailable") })
      test.expectTree("Order")
      #expect(dependencies.service.requests.last == request)
    }
    dependencies.service.change { $0.failures = [:] }
    test.advance(by: .seconds(3600))
    let calls = test.transcript.lines.filter { $0.hasPrefix("Parent.") }
    #expect(calls == ["Parent.orderDidEnd(Elm Court to Mill Pond, 15.30, 5 stars)"])
    #expect(dependencies.service.requests == [.quote, .taxi, .taxi, .status, .status, .payment, .payment])
    let keys = dependencies.service.keys
    #expect(keys.count == 4)
    #expect(keys[0] == keys[1] && keys[2] == keys[3] && keys[0] != keys[2])
    test.skip()
    test.finish()
  }

  @Test("LoggedIn shows an order by a link on top of the rider's, which restarts when it is uncovered")
  func link() throws {
    var actionableItem: (any LoggedInActionableItem)?
    let router = launch { dependencies, parent in
      let (router, item) = LoggedInBuilder(dependency: dependencies).build(withListener: parent)
      actionableItem = actionableItem ?? item
      return router
    }
    test.advance(by: .seconds(1))
    weak let byHand = router.children.last
    #expect(byHand != nil)
    _ = try #require(actionableItem).order(by: OrderLink(from: "Harbour", to: nil)).subscribe(onNext: { _ in })
    test.expectTree("LoggedIn\n  Map\n    NearbyTaxi 100\n  Order\n    Selecting\n      FareQuote")
    #expect(byHand == nil)
    test.expectSurvivesRestart()
    test.advance(by: .seconds(3600))
    #expect(
      test.transcript.lines.filter { $0.contains("Pickup at") || $0.contains("15.30, ") || $0.hasPrefix("Parent.") }
        == [
          "› Pickup at Elm Court", "› Pickup at Harbour", "› Harbour, 15.30, 5 stars",
          "› Pickup at Elm Court", "› Harbour, 15.30, 5 stars",
          "› Elm Court to Mill Pond, 15.30, 5 stars", "Parent.loggedInDidFinish(\"completed\")",
        ])
    test.skip()
    finish()
  }

  @Test("LoggedIn removes the views of its children when it resigns")
  func views() throws {
    launch("LoggedIn")
    let view = try #require(dependencies.view as? RootViewController)
    #expect(view.shown.count == 1)
    test.settle()
    test.skip()
    finish()
    #expect(view.shown.isEmpty)
  }
}
