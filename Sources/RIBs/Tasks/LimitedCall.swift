// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// A call that may be abandoned before it begins, at its limit or because its caller leaves. Then it never begins.
package final class LimitedCall: Sendable {
  /// Thrown in place of the call. It is no answer: the limit that has abandoned the call answers its caller.
  package struct Abandoned: Error {}

  private enum State: UInt8, AtomicRepresentable {
    case waiting, begun, abandoned
  }

  private let state = Atomic(State.waiting)

  package init() {}

  /// - Throws: `Abandoned`, which must not become the answer of the call.
  package func begin() throws {
    let (isBegun, _) = state.compareExchange(expected: .waiting, desired: .begun, ordering: .relaxed)
    if !isBegun { throw Abandoned() }
  }

  /// - Returns: whether the call has begun before.
  @discardableResult
  package func abandon() -> Bool {
    let (_, previous) = state.compareExchange(expected: .waiting, desired: .abandoned, ordering: .relaxed)
    return previous == .begun
  }
}
