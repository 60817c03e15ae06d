// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import TaxiOrder
@testable import TaxiSimulation

@Suite("A repeated request")
struct RepeatedRequestTests {
  private let memory = BackendMemory()
  private let bill = AppDependencyDouble.bill

  /// The backend of a client, whose earlier lives have ended.
  private func backend(_ fault: FaultKind? = nil, at time: OrderTime = .zero) -> OrderSimulation {
    OrderSimulation(
      trip: .generated(seed: 1), seed: 1, fault: fault.map { Fault($0, request: .payment) },
      clock: VirtualClock(at: time), requestCounter: RequestCounter(), memory: memory)
  }

  @Test("with the same key has no second effect, and gets the same answer")
  func keys() async throws {
    let key = RequestKey.random()
    let taxi = try await backend().requestTaxi(for: OrderDraft(), key: key, sender: nil)
    let later = OrderTime(.seconds(60))
    #expect(try await backend(at: later).requestTaxi(for: OrderDraft(), key: key, sender: nil) == taxi)
    #expect(try await backend(at: later).requestTaxi(for: OrderDraft(), key: .random(), sender: nil) != taxi)
    for (payment, charges) in [(key, 1), (key, 1), (.random(), 2)] {
      #expect(try await backend().charge(bill, to: .card, key: payment, sender: nil) == .paid)
      #expect(memory.charges == charges)
    }
    #expect(try await backend(.everyCardDeclined).charge(bill, to: .card, key: .random(), sender: nil) == .declined)
    #expect(try await backend(.everyCardDeclined).charge(bill, to: .card, key: key, sender: nil) == .paid)
    #expect(memory.charges == 2)
  }

  @Test("is answered after one that has failed")
  func faults() async throws {
    let failing = backend(.requestFails)
    await #expect(throws: ServiceUnavailable.self) {
      try await failing.charge(bill, to: .card, key: .random(), sender: nil)
    }
    #expect(try await backend(.requestFails).charge(bill, to: .card, key: .random(), sender: nil) == .paid)
    #expect(memory.charges == 1)
  }

  @Test("of a crashed client has no effect")
  func crashed() async {
    let crashed = backend()
    memory.endLife()
    await #expect(throws: CancellationError.self) {
      try await crashed.charge(bill, to: .card, key: .random(), sender: nil)
    }
    #expect(memory.charges == 0)
  }
}
