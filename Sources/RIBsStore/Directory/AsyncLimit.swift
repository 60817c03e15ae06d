// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import RIBs

/// Limits how often something happens at the same time. Callers wait in FIFO order.
final class AsyncLimit: Sendable {
  private struct State {
    var used = 0
    var waiting = FIFO<Promise<Void>>()
  }

  private let state = Locked(State())
  private let limit: Int

  init(_ limit: Int) { self.limit = limit }

  /// The number of places that are taken.
  var used: Int { state.withLock { $0.used } }

  /// Takes a place, when one is free.
  ///
  /// - Throws: a `CancellationError` if the calling task is cancelled first. No place is taken then.
  func enter() async throws {
    let turn: Promise<Void>? = state.withLock { state in
      if state.used < limit {
        state.used += 1
        return nil
      }
      let turn = Promise<Void>()
      state.waiting.append(turn)
      return turn
    }
    guard let turn else { return }
    do {
      try await turn.valueUnlessCancelled()
    } catch {
      // The place comes later, and nothing uses it.
      turn.whenSet { self.leave() }
      throw error
    }
  }

  /// Frees a place.
  func leave() {
    let next = state.withLock { state in
      let next = state.waiting.popFirst()
      if next == nil { state.used -= 1 }
      return next
    }
    next?.set(())
  }
}
