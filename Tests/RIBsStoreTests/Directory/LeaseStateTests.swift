// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import RIBsStore

@Suite("The state of a lease")
struct LeaseStateTests {
  private static let states: [LeaseState] = [.free, .awaited, .held(until: 5), .ended, .reviving, .lost]
  private static let events: [LeaseState.Event] = [
    .renewed(until: 3), .renewed(until: 8), .ended, .reviving, .lost,
  ]

  @Test("has these transitions, and no others")
  func transitions() {
    #expect(
      TestSupport.transitions(of: Self.states, by: Self.events, LeaseState.after) == [
        "free lost lost", "awaited renewed(until: 3) held(until: 3)", "awaited renewed(until: 8) held(until: 8)",
        "awaited lost lost", "held(until: 5) renewed(until: 8) held(until: 8)", "held(until: 5) ended ended",
        "held(until: 5) reviving reviving", "held(until: 5) lost lost", "ended renewed(until: 3) held(until: 3)",
        "ended renewed(until: 8) held(until: 8)", "ended reviving reviving", "ended lost lost",
        "reviving renewed(until: 3) held(until: 3)", "reviving renewed(until: 8) held(until: 8)", "reviving lost lost",
      ])
  }

  @Test("holds while no lease is required, and before the end of a renewed one")
  func holds() {
    for time: Int64 in 3...7 {
      #expect(Self.states.map { $0.holds(at: time) } == [true, false, time < 5, false, false, false])
    }
  }

  @Test("is one number, whatever the time is")
  func numbers() {
    for time: Int64 in [.min + 4, -1, 0, 1, .max - 1] {
      #expect(LeaseState(number: LeaseState.held(until: time).number) == .held(until: time))
    }
    for state in Self.states { #expect(LeaseState(number: state.number) == state) }
    // The nearest times that have no special meaning.
    #expect(LeaseState(number: LeaseState.held(until: .max).number) == .held(until: .max - 1))
    #expect(LeaseState(number: LeaseState.held(until: .min).number) == .held(until: .min + 4))
  }

  @Test("loses no event when many arrive at the same time", arguments: 0..<20)
  func races(_ round: Int) async {
    let lease = Lease(TreeOwner(), isRequired: true)
    let losses = await withTaskGroup(of: Bool.self) { group in
      for number in 1...64 {
        group.addTask {
          switch number % 8 {
          case 0 where round % 2 == 0: return lease.lose()
          default: lease.extend(to: .nanoseconds(number))
          }
          return false
        }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    // Eight losses, of which one counts; or the latest renewal.
    #expect(lease.state == (round % 2 == 0 ? .lost : .held(until: 64)))
    #expect(losses == (round % 2 == 0 ? 1 : 0))
  }
}
