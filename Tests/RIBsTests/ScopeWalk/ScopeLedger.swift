// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import Synchronization

/// What a walk has met: faults, living objects, and what happened how often.
final class ScopeLedger: Sendable {
  /// Counts an object while it lives.
  final class Token: Sendable {
    private let ledger: ScopeLedger
    private let kind: String

    init(_ kind: String, _ ledger: ScopeLedger) {
      self.kind = kind
      self.ledger = ledger
      ledger.livingCount.add(1, ordering: .relaxed)
      if ledger.isTracing { ledger.state.withLock { $0.living[kind, default: 0] += 1 } }
    }

    deinit {
      ledger.livingCount.subtract(1, ordering: .relaxed)
      if ledger.isTracing { ledger.state.withLock { $0.living[kind, default: 0] -= 1 } }
    }
  }

  /// An error of the walk's own work.
  struct Injected: Error { let number: Int }

  /// What stands for an error that an interactor has passed on.
  struct PassedOn: Error {}

  private struct State {
    var faults: [String] = []
    var living: [String: Int] = [:]
    var lines: [String] = []
    /// How often each error has been reported to an interactor or to the tree.
    var reported: [Int: Int] = [:]
    /// The errors of events.
    var shown: Set<Int> = []
    /// The errors of failed work.
    var failed: Set<Int> = []
    /// The errors that `inject()` made.
    var thrown: Set<Int> = []
  }

  let seed: UInt64
  /// Whether what happens is written down, to explain a fault.
  let isTracing: Bool
  private let livingCount = Atomic(0)
  private let lastNumber = Atomic(0)
  private let state = Locked(State())

  init(seed: UInt64, isTracing: Bool = false) {
    self.seed = seed
    self.isTracing = isTracing
  }

  /// A number that no other object of the walk has.
  func nextNumber() -> Int { lastNumber.add(1, ordering: .relaxed).newValue }

  func expect(_ holds: Bool, _ fault: @autoclosure () -> String) {
    if !holds { fail(fault()) }
  }

  func fail(_ fault: String) {
    trace("FAULT: \(fault)")
    state.withLock { if $0.faults.count < 10 { $0.faults.append(fault) } }
  }

  func trace(_ line: @autoclosure () -> String) {
    guard isTracing else { return }
    let line = line()
    state.withLock { $0.lines.append(line) }
  }

  /// Makes an error, to be thrown now.
  func inject() -> Injected {
    let error = Injected(number: nextNumber())
    state.withLock { _ = $0.thrown.insert(error.number) }
    return error
  }

  func didReport(_ error: any Error) {
    guard let error = error as? Injected else { return }
    state.withLock { $0.reported[error.number, default: 0] += 1 }
  }

  /// An event shows an error, perhaps as the failure of work.
  func didShow(_ error: any Error, isFailure: Bool) {
    guard let error = error as? Injected else { return }
    state.withLock { state in
      state.shown.insert(error.number)
      if isFailure { state.failed.insert(error.number) }
    }
  }

  /// Compares what failed with what was reported.
  func checkErrors() {
    let (reported, failed) = state.withLock { ($0.reported, $0.failed) }
    for (number, count) in reported where count > 1 { fail("error \(number) was reported \(count) times") }
    for number in failed where reported[number] == nil { fail("error \(number) was not reported") }
  }

  var faults: [String] { state.withLock { $0.faults } }
  var thrownCount: Int { state.withLock { $0.thrown.count } }
  /// The errors that `inject()` made and that no event has shown.
  var lostErrors: [Int] { state.withLock { $0.thrown.subtracting($0.shown).sorted() } }
  var lines: [String] { state.withLock { $0.lines } }
  var living: Int { livingCount.load(ordering: .relaxed) }
  var livingKinds: [String: Int] { state.withLock { $0.living.filter { $0.value != 0 } } }

  /// Leaves the calling actor and comes back.
  @concurrent
  func leave() async { await Task.yield() }
}
