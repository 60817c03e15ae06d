// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// A call that may be abandoned before it begins, at its limit or because its caller leaves. Then it never begins.
package final class LimitedCall: Sendable {
  /// Thrown in place of the call. It is no answer: the limit that has abandoned the call answers its caller.
  package struct Abandoned: Error {}

  private enum State: UInt8, AtomicRepresentable {
    case waiting, begun, returned, abandoned
  }

  private let state = Atomic(State.waiting)

  package init() {}

  /// - Throws: `Abandoned`, which must not become the answer of the call.
  package func begin() throws {
    let (isBegun, _) = state.compareExchange(expected: .waiting, desired: .begun, ordering: .relaxed)
    if !isBegun { throw Abandoned() }
  }

  /// Notes that the closure of the call, which has begun, has returned.
  package func end() { state.store(.returned, ordering: .relaxed) }

  /// Whether the closure of the call has returned.
  package var hasReturned: Bool { state.load(ordering: .relaxed) == .returned }

  /// - Returns: whether the call has begun before.
  @discardableResult
  package func abandon() -> Bool {
    let (_, previous) = state.compareExchange(expected: .waiting, desired: .abandoned, ordering: .relaxed)
    return previous == .begun || previous == .returned
  }
}
