// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsStore
import TestSupport
import Testing

@testable import TaxiOrder
@testable import TaxiSimulation

@Suite("An order whose process crashes", .folded)
struct CrashTests {
  /// An order to crash: a trip by card or in cash, and a kind of fault.
  struct Case: Sendable, CustomTestStringConvertible {
    let fault: FaultKind?
    let seed: UInt64

    var testDescription: String { "\(fault?.rawValue ?? "no fault"), seed \(seed)" }
  }

  /// Seed 1 pays by card, seed 2 in cash.
  private static let cases = [1, 2].flatMap { seed in
    ([nil] + FaultKind.allCases).map { Case(fault: $0, seed: seed) }
  }

  /// Only a complete run tries all events, and all of the second life.
  private static let stride = Thoroughness.count(usual: 80, share: 4, whole: 1)

  /// Runs an order that crashes at the given events, one in each life.
  private func run(
    _ order: Case, crashes: [Int], didCrash: (@Sendable (OrderStore, BackendMemory, OrderTime) -> Void)? = nil
  ) async -> OrderCourse {
    let trip = Trip.generated(from: nil, to: nil, seed: order.seed)
    // With seed 2, another request or another time than by default.
    let fault = order.fault.map { kind in
      order.seed == 1 ? Fault(kind) : FaultInjection(rate: 1, kind: kind).fault(of: trip, seed: order.seed)
    }
    var run = OrderRun.folded(trip: trip, seed: order.seed, fault: fault.flatMap { $0 }, ribCounter: RIBCounter())
    run.fleet = 2
    return await OrderLives(run, CrashPlan(at: crashes), didCrash: didCrash).run()
  }

  /// Compares an order with the same order without crashes.
  private func compare(_ course: OrderCourse, with whole: OrderCourse, _ order: Case, _ comment: Comment) {
    #expect(course.outcome == whole.outcome, comment)
    #expect((course.charges, course.taxis, course.paths) == (whole.charges, whole.taxis, whole.paths), comment)
    #expect((course.untaken, course.requestsFromInactive, course.leaked) == ([], 0, 0), comment)
    // A request that fails is attempted again by the restored tree.
    if ![.requestKeepsFailing, .requestHangs, .backendDies].contains(order.fault) {
      #expect(course.requests == whole.requests, comment)
    }
  }

  @Test("ends the same after a crash at any event, with one charge and all RIBs", arguments: cases)
  func crash(order: Case) async throws {
    let whole = await run(order, crashes: [])
    let paysByCard = order.seed == 1
    if case .completed = whole.outcome { #expect(whole.charges == (paysByCard ? 1 : 0)) }
    let events = try #require(whole.events.first)
    #expect(events > 40)
    for event in Swift.stride(from: 1, through: events, by: CrashTests.stride) {
      let course = await run(order, crashes: [event])
      #expect(course.crashes == 1)
      compare(course, with: whole, order, "event \(event)")
    }
  }

  /// What a crash has left.
  private struct Remains: Hashable {
    private let document: [UInt8]?
    private let backend: [UInt8]
    private let time: OrderTime

    init(_ store: OrderStore, _ memory: BackendMemory, at time: OrderTime) throws {
      document = try store.document?.encoded(by: JSONStateCoder())
      backend = try JSONStateCoder().encode(memory.state)
      self.time = time
    }
  }

  @Test("ends the same after a second crash at any event of the restored tree", arguments: 0..<16)
  func secondCrash(part: Int) async throws {
    let order = Case(fault: .cardDeclined, seed: 1)
    let whole = await run(order, crashes: [])
    let events = try #require(whole.events.first)
    var known: Set<Remains> = []
    let (first, last) = (1 + events * part / 16, events * (part + 1) / 16)
    // A share has the first events of each part.
    for event in first...min(last, first + Thoroughness.count(usual: 0, share: 3, whole: events)) {
      let remains = Locked<Remains?>(nil)
      let once = await run(order, crashes: [event]) { store, memory, time in
        #expect(throws: Never.self) {
          let left = try Remains(store, memory, at: time)
          remains.withLock { $0 = left }
        }
      }
      // After crashes that have left the same, all lives are the same.
      guard known.insert(try #require(remains.withLock { $0 })).inserted else { continue }
      for second in Swift.stride(from: 1, through: try #require(once.events.last), by: CrashTests.stride) {
        let course = await run(order, crashes: [event, second])
        // The restored tree may have saved more or less than in the run before, and have some events more or less.
        #expect(course.crashes == 2 || course.crashes == 1)
        compare(course, with: whole, order, "events \(event) and \(second)")
      }
    }
  }
}
