// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import TestSupport
import Testing

@testable import TaxiOrder
@testable import TaxiSimulation

@Suite("An order with a fault", .folded)
struct FaultTests {
  private static let cardTrip = Trip.generated(from: nil, to: nil, seed: 1)

  private func run(_ fault: Fault, trip: Trip = cardTrip, seed: UInt64 = 1) async -> OrderReport {
    await OrderRun.folded(trip: trip, seed: seed, fault: fault, ribCounter: RIBCounter()).run()
  }

  /// All requests that a fault can concern, and others.
  private static let requiredRequests: [(Request, Int)] =
    [(.quote, 0), (.taxi, 0), (.payment, 0)] + (0..<4).map { (.status, $0) } + (0..<3).map { (.position, $0) }

  @Test("completes when any one of its requests fails once, with one request more", arguments: requiredRequests)
  func requestFails(request: Request, call: Int) async {
    let report = await run(Fault(.requestFails, request: request, call: call))
    #expect(report.outcome == .completed(charged: FaultTests.cardTrip.bill.total))
    // The delayed quote does not cause further polls of the map.
    #expect(report == .sound(report.outcome, requests: 13))
  }

  @Test("fails when any of its requests keeps failing", arguments: requiredRequests)
  func requestKeepsFailing(request: Request, call: Int) async {
    let report = await run(Fault(.requestKeepsFailing, request: request, call: call))
    #expect(report == .sound(.failed(reason: "the service is unavailable"), requests: report.requests))
  }

  @Test("fails when any of its requests is not answered in time", arguments: requiredRequests)
  func requestHangs(request: Request, call: Int) async {
    let report = await run(Fault(.requestHangs, request: request, call: call))
    #expect(report == .sound(.failed(reason: "no answer within 8 s"), requests: report.requests))
  }

  /// The requests with which an outage can begin.
  private static let taxiRequests = requiredRequests.filter { $0.0.concernsTaxi }

  @Test("completes after an outage that begins with any request about the taxi", arguments: taxiRequests)
  func backendDies(request: Request, call: Int) async {
    let fault = Fault(.backendDies, request: request, call: call)
    let order = OrderRun.folded(trip: FaultTests.cardTrip, seed: 1, fault: fault, ribCounter: RIBCounter())
    let report = await order.run()
    #expect(report == .sound(.completed(charged: FaultTests.cardTrip.bill.total), requests: report.requests))
    // Three attempts, those of two restarts, and those of the third restart, the last of which succeeds.
    #expect(report.requests >= 12 + 9)
    let course = await OrderLives(order, CrashPlan(at: [])).run()
    #expect(course.report == report)
    #expect(course.taxis == 1)
    #expect(course.charges == 1)
  }

  @Test("fails after an outage if no RIB is restarted", arguments: taxiRequests)
  func backendDiesWithoutRestarts(request: Request, call: Int) async {
    let fault = Fault(.backendDies, request: request, call: call)
    var order = OrderRun.folded(trip: FaultTests.cardTrip, seed: 1, fault: fault, ribCounter: RIBCounter())
    order.restarts = .never
    let report = await order.run()
    #expect(report == .sound(.failed(reason: "the service is unavailable"), requests: report.requests))
  }

  @Test("gets one taxi and is charged once when answers are lost until a RIB is restarted")
  func lostAnswers() async {
    let lossy = LossyService()
    var order = OrderRun.folded(trip: FaultTests.cardTrip, seed: 1, ribCounter: RIBCounter())
    order.services = { simulation in lossy.services(simulation) }
    let course = await OrderLives(order, CrashPlan(at: [])).run()
    #expect(course.outcome == .completed(charged: FaultTests.cardTrip.bill.total))
    #expect(lossy.lost == [.taxi: LossyService.answers, .payment: LossyService.answers])
    #expect(course.taxis == 1)
    #expect(course.charges == 1)
  }

  @Test("continues without the taxis nearby", arguments: [FaultKind.requestFails, .requestKeepsFailing, .requestHangs])
  func nearbyTaxis(kind: FaultKind) async {
    let report = await run(Fault(kind, request: .nearbyTaxis))
    #expect(report == .sound(.completed(charged: FaultTests.cardTrip.bill.total), requests: report.requests))
  }

  @Test("fails when no taxi is free, after four searches")
  func noTaxi() async {
    let report = await run(Fault(.noTaxi))
    // Two polls of the taxis nearby, the quote, four searches.
    #expect(report == .sound(.failed(reason: "no taxi is free"), requests: 7))
  }

  @Test("is cancelled when the rider cancels the search or the taxi, whenever that is", arguments: [5, 30, 50, 70, 94])
  func riderCancels(part: Int) async {
    for kind in [FaultKind.riderCancelsSearch, .riderCancelsTaxi] {
      let report = await run(Fault(kind, part: part))
      #expect(report == .sound(.cancelled, requests: report.requests))
    }
  }

  @Test("completes when the rider wants to cancel during the ride", arguments: [5, 30, 50, 70, 94])
  func riderCancelsRide(part: Int) async {
    let report = await run(Fault(.riderCancelsRide, part: part))
    // The backend is asked only while the app does not know that the ride has begun.
    #expect(report == .sound(.completed(charged: FaultTests.cardTrip.bill.total), requests: part < 50 ? 13 : 12))
  }

  @Test("gets another taxi when the driver cancels, and no third one", arguments: [0, 1])
  func driverCancels(call: Int) async {
    let once = await run(Fault(.driverCancels, call: call))
    #expect(once == .sound(.completed(charged: FaultTests.cardTrip.bill.total), requests: call == 0 ? 14 : 16))
    let twice = await run(Fault(.driverCancelsTwice, call: call))
    #expect(twice == .sound(.failed(reason: "the drivers have cancelled"), requests: call == 0 ? 7 : 11))
  }

  @Test("is paid with another card when one is declined, and fails when all are")
  func declinedCards() async {
    let one = await run(Fault(.cardDeclined))
    #expect(one == .sound(.completed(charged: FaultTests.cardTrip.bill.total), requests: 13))
    let all = await run(Fault(.everyCardDeclined))
    #expect(all == .sound(.failed(reason: "all cards were declined"), requests: 13))
  }

  @Test("ends as its kind of fault determines, whatever the seed and the request", arguments: FaultKind.allCases)
  func kinds(kind: FaultKind) async {
    let injection = FaultInjection(rate: 1, kind: kind)
    for seed in 1...Thoroughness.count(usual: 8, share: 40, whole: 40) as ClosedRange<UInt64> {
      let trip = Trip.generated(from: nil, to: nil, seed: seed)
      let fault = injection.fault(of: trip, seed: seed)
      let report = await OrderRun.folded(trip: trip, seed: seed, fault: fault, ribCounter: RIBCounter()).run()
      let paysCash = trip.rider.payment == .cash
      let expected =
        paysCash && kind.concernsCards ? "completed" : kind.summary.split(separator: " ").last.map(String.init)
      #expect(OrderState.ended(outcome: report.outcome).name == expected, "seed \(seed), \(String(describing: fault))")
      #expect(report.requestsFromInactive == 0)
      #expect(report.leaked == 0)
    }
  }

  @Test("has the given rate, equally frequent kinds, and all possible requests", .noTrees)
  func rate() {
    let orders = 20_000
    var counts: [FaultKind: Int] = [:]
    var places: [FaultKind: Set<String>] = [:]
    for number in 1...orders {
      let trip = FaultTests.cardTrip.numbered(number)
      if let fault = FaultInjection(rate: 0.2).fault(of: trip, seed: 7) {
        counts[fault.kind, default: 0] += 1
        places[fault.kind, default: []].insert("\(fault.request) \(fault.call)")
      }
    }
    let expected = Double(orders) * 0.2 / Double(FaultKind.allCases.count)
    #expect(counts.count == FaultKind.allCases.count)
    #expect(counts.values.allSatisfy { abs(Double($0) - expected) < expected / 4 }, "\(counts)")
    for kind in [FaultKind.requestFails, .requestKeepsFailing, .requestHangs] {
      #expect(places[kind] == Set(FaultTests.requiredRequests.map { "\($0) \($1)" }))
    }
    #expect(places[.backendDies] == Set(FaultTests.taxiRequests.map { "\($0) \($1)" }))
    #expect(FaultInjection.none.fault(of: FaultTests.cardTrip, seed: 7) == nil)
  }
}

extension OrderReport {
  /// The outcome of an order, after checking that it left nothing behind.
  fileprivate static func sound(_ outcome: OrderOutcome, requests: Int) -> OrderReport {
    OrderReport(outcome: outcome, requests: requests, requestsFromInactive: 0, leaked: 0)
  }
}

extension Trip {
  fileprivate func numbered(_ number: Int) -> Trip {
    Trip(number: number, rider: rider, duration: duration, distance: distance, bill: bill)
  }
}
