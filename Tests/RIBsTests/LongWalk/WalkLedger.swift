// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs

/// What was created and released, thrown and reported, in a long walk; and what went wrong.
final class WalkLedger: Sendable {
  private struct State {
    var alive: [String: Int] = [:]
    var thrown: Set<Int> = []
    var received: Set<Int> = []
    var faults: [String] = []
    var counts: [String: Int] = [:]
  }

  private let state = Locked(State())

  /// Something that counts as alive while it is referred to.
  final class Token: Sendable {
    private let kind: String
    private let ledger: WalkLedger

    init(_ kind: String, _ ledger: WalkLedger) {
      self.kind = kind
      self.ledger = ledger
      ledger.state.withLock { $0.alive[kind, default: 0] += 1 }
    }

    deinit { ledger.state.withLock { $0.alive[kind, default: 0] -= 1 } }

    /// Is captured by calling this.
    func touch() {}
  }

  /// An error that differs from all others.
  struct Injected: Error { let number: Int }

  /// Makes an error, to be thrown now.
  func inject(_ number: Int) -> Injected {
    state.withLock { _ = $0.thrown.insert(number) }
    return Injected(number: number)
  }

  /// Records the errors that the tree reports.
  func hear(_ event: TreeEvent) {
    guard let error = event.failure as? Injected else { return }
    state.withLock { _ = $0.received.insert(error.number) }
  }

  func expect(_ holds: Bool, _ fault: @autoclosure () -> String) {
    guard !holds else { return }
    let fault = fault()
    state.withLock { if $0.faults.count < 20 { $0.faults.append(fault) } }
  }

  func count(_ name: String) { state.withLock { $0.counts[name, default: 0] += 1 } }

  var faults: [String] { state.withLock { $0.faults } }
  var counts: [String: Int] { state.withLock { $0.counts } }
  var alive: [String: Int] { state.withLock { $0.alive.filter { $0.value != 0 } } }
  /// The errors that were thrown and that no event reported.
  var lostErrors: [Int] { state.withLock { $0.thrown.subtracting($0.received).sorted() } }
  var errorCount: Int { state.withLock { $0.thrown.count } }
}
