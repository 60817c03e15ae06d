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

  private static let completed = OrderOutcome.completed(charged: cardTrip.bill.total)

  private func order(_ fault: Fault? = nil) -> OrderRun {
    .folded(trip: FaultTests.cardTrip, seed: 1, fault: fault, ribCounter: RIBCounter())
  }

  /// All requests that a fault can concern, and others.
  private static let requiredRequests: [(Request, Int)] =
    [(.quote, 0), (.taxi, 0), (.payment, 0)] + (0..<4).map { (.status, $0) } + (0..<3).map { (.position, $0) }

  @Test("completes when any one of its requests fails once, with one request more", arguments: requiredRequests)
  func requestFails(request: Request, call: Int) async {
    let report = await order(Fault(.requestFails, request: request, call: call)).run()
    // The delayed quote does not cause further polls of the map.
    #expect(report == .sound(FaultTests.completed, requests: 13))
  }

  @Test("fails when any of its requests keeps failing, or is not answered in time", arguments: requiredRequests)
  func requestKeepsFailing(request: Request, call: Int) async {
    for (kind, reason) in [
      (FaultKind.requestKeepsFailing, "the service is unavailable"), (.requestHangs, "no answer within 8 s"),
    ] {
      let report = await order(Fault(kind, request: request, call: call)).run()
      #expect(report == .sound(.failed(reason: reason), requests: report.requests))
    }
  }

  /// The requests with which an outage can begin.
  private static let taxiRequests = requiredRequests.filter { $0.0.concernsTaxi }

  @Test("completes after an outage that begins with any request about the taxi", arguments: taxiRequests)
  func backendDies(request: Request, call: Int) async {
    let order = order(Fault(.backendDies, request: request, call: call))
    let report = await order.run()
    #expect(report == .sound(FaultTests.completed, requests: report.requests))
    // Three attempts, those of two restarts, and those of the third restart, the last of which succeeds.
    #expect(report.requests >= 12 + 9)
    let course = await OrderLives(order, CrashPlan(at: [])).run()
    #expect((course.report, course.taxis, course.charges) == (report, 1, 1))
  }

  @Test("fails after an outage if no RIB is restarted", arguments: taxiRequests)
  func backendDiesWithoutRestarts(request: Request, call: Int) async {
    var order = order(Fault(.backendDies, request: request, call: call))
    order.restarts = .never
    let report = await order.run()
    #expect(report == .sound(.failed(reason: "the service is unavailable"), requests: report.requests))
  }

  @Test("gets one taxi and is charged once when answers are lost until a RIB is restarted")
  func lostAnswers() async {
    // More answers are lost than a request is retried.
    let lost = Locked<[Request: Int]>([:])
    var order = order()
    order.disturb(
      after: { request in
        guard request == .taxi || request == .payment else { return }
        try lost.withLock { lost in
          guard lost[request, default: 0] < 4 else { return }
          lost[request, default: 0] += 1
          throw ServiceUnavailable()
        }
      })
    let course = await OrderLives(order, CrashPlan(at: [])).run()
    #expect((course.outcome, course.taxis, course.charges) == (FaultTests.completed, 1, 1))
    #expect(lost.withLock { $0 } == [.taxi: 4, .payment: 4])
  }

  @Test(
    "ends with its outcome after as many requests as it takes",
    arguments: [
      // Two polls of the taxis nearby, the quote, four searches.
      (Fault(.noTaxi), .failed(reason: "no taxi is free"), 7),
      // The rider gets another taxi, and no third one.
      (Fault(.driverCancels, call: 0), completed, 14), (Fault(.driverCancels, call: 1), completed, 16),
      (Fault(.driverCancelsTwice, call: 0), .failed(reason: "the drivers have cancelled"), 7),
      (Fault(.driverCancelsTwice, call: 1), .failed(reason: "the drivers have cancelled"), 11),
      (Fault(.cardDeclined), completed, 13),
      (Fault(.everyCardDeclined), .failed(reason: "all cards were declined"), 13),
      // The backend is asked only while the app does not know that the ride has begun.
      (Fault(.riderCancelsRide, part: 5), completed, 13), (Fault(.riderCancelsRide, part: 30), completed, 13),
      (Fault(.riderCancelsRide, part: 50), completed, 12), (Fault(.riderCancelsRide, part: 70), completed, 12),
      (Fault(.riderCancelsRide, part: 94), completed, 12),
    ] as [(Fault, OrderOutcome, Int)])
  func outcome(fault: Fault, outcome: OrderOutcome, requests: Int) async {
    #expect(await order(fault).run() == .sound(outcome, requests: requests))
  }

  @Test("continues without the taxis nearby", arguments: [FaultKind.requestFails, .requestKeepsFailing, .requestHangs])
  func nearbyTaxis(kind: FaultKind) async {
    let report = await order(Fault(kind, request: .nearbyTaxis)).run()
    #expect(report == .sound(FaultTests.completed, requests: report.requests))
  }

  @Test("is cancelled when the rider cancels the search or the taxi, whenever that is", arguments: [5, 30, 50, 70, 94])
  func riderCancels(part: Int) async {
    for kind in [FaultKind.riderCancelsSearch, .riderCancelsTaxi] {
      let report = await order(Fault(kind, part: part)).run()
      #expect(report == .sound(.cancelled, requests: report.requests))
    }
  }

  @Test("ends as its kind of fault determines, whatever the seed and the request", arguments: FaultKind.allCases)
  func kinds(kind: FaultKind) async {
    let injection = FaultInjection(rate: 1, kind: kind)
    for seed in 1...Thoroughness.count(usual: 4, share: 40, whole: 40) as ClosedRange<UInt64> {
      let trip = Trip.generated(from: nil, to: nil, seed: seed)
      let fault = injection.fault(of: trip, seed: seed)
      let report = await OrderRun.folded(trip: trip, seed: seed, fault: fault, ribCounter: RIBCounter()).run()
      let paysCash = trip.rider.payment == .cash
      let expected =
        paysCash && kind.concernsCards ? "completed" : kind.summary.split(separator: " ").last.map(String.init)
      #expect(OrderState.ended(outcome: report.outcome).name == expected, "seed \(seed), \(String(describing: fault))")
      #expect((report.requestsFromInactive, report.leaked) == (0, 0))
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

extension Trip {
  fileprivate func numbered(_ number: Int) -> Trip {
    Trip(number: number, rider: rider, duration: duration, distance: distance, bill: bill)
  }
}
