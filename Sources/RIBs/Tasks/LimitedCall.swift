// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// A call whose caller may leave before it begins. Then it never begins.
package final class LimitedCall: Sendable {
  private enum State: UInt8, AtomicRepresentable {
    case waiting, begun, abandoned
  }

  private let state = Atomic(State.waiting)

  package init() {}

  /// - Throws: a `CancellationError` if the caller has left.
  package func begin() throws {
    let (isBegun, _) = state.compareExchange(expected: .waiting, desired: .begun, ordering: .relaxed)
    if !isBegun { throw CancellationError() }
  }

  /// - Returns: whether the call has begun before.
  @discardableResult
  package func abandon() -> Bool {
    let (_, previous) = state.compareExchange(expected: .waiting, desired: .abandoned, ordering: .relaxed)
    return previous == .begun
  }
}
