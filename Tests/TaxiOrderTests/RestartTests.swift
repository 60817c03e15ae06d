// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting
import Testing

@testable import TaxiOrder

@Suite("An order whose process restarts", .folded)
final class RestartTests: LoneRIB {
  /// A course of an order.
  enum Course: CaseIterable {
    case card, cash, cardDeclined, noTaxi, cancelledSearch, cancelledTaxi, refusedCancellation, driverCancels, noQuote

    var outcome: String {
      switch self {
      case .card, .cash, .cardDeclined, .refusedCancellation, .driverCancels: "completed"
      case .cancelledSearch, .cancelledTaxi: "cancelled"
      case .noTaxi, .noQuote: "failed"
      }
    }
  }

  init() { super.init(recording: [.calls]) }

  /// Scripts the rider and the backend.
  private func prepare(_ course: Course) {
    let assignment = Assignment(
      driver: Driver(name: "Mara", plate: "T1"), position: Position(east: 0, north: -100),
      arrival: OrderTime(.seconds(110)), nextPoll: OrderTime(.seconds(60)))
    let ride = AppDependencyDouble.ride
    dependencies.service.change {
      $0.assignments = [assignment]
      $0.statuses = [
        .taxi(.approaching(arrival: OrderTime(.seconds(110))), nextPoll: OrderTime(.seconds(110))),
        .taxi(.arrived, nextPoll: OrderTime(.seconds(150))),
        .taxi(.riding(end: OrderTime(.seconds(200))), nextPoll: OrderTime(.seconds(200))),
        .taxi(.ended(ride: ride), nextPoll: nil),
      ]
      switch course {
      case .cardDeclined: $0.payments = [.declined, .paid]
      case .noTaxi, .cancelledSearch: $0.assignments = [nil]
      case .refusedCancellation: $0.canBeCancelled = false
      case .driverCancels: $0.statuses.insert(.driverCancelled, at: 1)
      case .noQuote: $0.failure = ServiceUnavailable()
      case .card, .cash, .cancelledTaxi: break
      }
    }
    switch course {
    case .cash: dependencies.rider = Rider(pickupZone: nil, dropoffZone: nil, payment: .cash)
    case .cancelledSearch: dependencies.rider.cancellationTimes.search = .milliseconds(25_250)
    case .cancelledTaxi, .refusedCancellation: dependencies.rider.cancellationTimes.taxi = .milliseconds(70_250)
    default: break
    }
  }

  @Test("survives that at any time, and has saved each change", arguments: Course.allCases)
  func anyTime(course: Course) {
    prepare(course)
    launch("Root")
    test.expectSurvivesRestart()
    var steps = 0
    while let next = test.clock.deadlines.first, !test.transcript.lines.contains("reported: \(course.outcome)") {
      test.advance(by: test.clock.now.duration(to: next))
      test.expectSurvivesRestart()
      steps += 1
      if steps == 100 { break }
    }
    #expect((4..<100).contains(steps))
    #expect(test.transcript.lines.last == "reported: \(course.outcome)")
    test.skip()
    test.finish()
  }

  @Test("survives that while a link waits for the login")
  func link() {
    dependencies.rider.ordersInApp = false
    var handler: (any LinkHandler)?
    _ = launch { dependencies, _ in
      let (router, linkHandler) = RootBuilder(dependency: dependencies).build()
      handler = handler ?? linkHandler
      return router
    }
    handler?.handle(OrderLink(from: "Harbour", to: nil))
    test.expectSurvivesRestart()
    test.advance(by: .seconds(4))
    test.expectTree("Root\n  LoggedIn\n    Map\n    Order\n      Selecting\n        Confirmation")
    test.skip()
    test.finish()
  }
}
