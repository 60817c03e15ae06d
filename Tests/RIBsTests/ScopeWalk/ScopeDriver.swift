// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import RIBs

/// Runs the jobs of trees and of their work on the calling thread, in an order that only a seed decides.
///
/// The jobs of the actor keep their order. Jobs that run off the actor are taken from anywhere among those that are ready, so
/// that each seed is another interleaving.
final class ScopeDriver: Sendable {
  /// What the calling code runs as.
  private enum Place {
    /// Code of the test, between two jobs.
    case outside
    case home
    case away
  }

  private struct State {
    var home: [UnownedJob] = []
    var nextHome = 0
    var away: [UnownedJob] = []
    var place = Place.outside
    var random: SplitMix
  }

  private let state: Locked<State>

  init(seed: UInt64) { state = Locked(State(random: SplitMix(seed))) }

  /// Whether code of the trees may run here.
  var isHome: Bool { state.withLock { $0.place != .away } }

  fileprivate func addHome(_ job: UnownedJob) { state.withLock { $0.home.append(job) } }

  fileprivate func addAway(_ job: UnownedJob) { state.withLock { $0.away.append(job) } }

  /// Runs one job.
  ///
  /// - Returns: whether there was one.
  func runOne(_ home: ScopeHome, _ away: ScopeAway) -> Bool {
    let next = state.withLock { state in
      let isHome = state.nextHome < state.home.count
      if isHome, state.away.isEmpty || state.random.below(2) == 0 {
        let job = state.home[state.nextHome]
        state.nextHome += 1
        if state.nextHome == state.home.count {
          state.home.removeAll(keepingCapacity: true)
          state.nextHome = 0
        }
        state.place = .home
        return (job, true) as (UnownedJob, Bool)?
      }
      guard !state.away.isEmpty else { return nil }
      let count = state.away.count
      state.away.swapAt(state.random.below(count), count - 1)
      state.place = .away
      return (state.away.removeLast(), false)
    }
    guard let (job, isHome) = next else { return false }
    if isHome {
      job.runSynchronously(
        isolatedTo: home.asUnownedSerialExecutor(), taskExecutor: home.asUnownedTaskExecutor())
    } else {
      job.runSynchronously(on: away.asUnownedTaskExecutor())
    }
    state.withLock { $0.place = .outside }
    return true
  }
}

/// The executor of the driven actor, and of all that runs on its trees.
final class ScopeHome: SerialExecutor, HomeTaskExecutor {
  let gate = JobGate()
  private let driver: ScopeDriver

  init(_ driver: ScopeDriver) { self.driver = driver }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    guard job.belongsToTask else { return driver.addAway(job) }
    if !gate.keeps(job) { driver.addHome(job) }
  }

  func checkIsolated() { precondition(driver.isHome, "Code of a tree runs off its actor.") }
}

/// The executor of work that leaves the driven trees.
final class ScopeAway: TaskExecutor {
  private let driver: ScopeDriver

  init(_ driver: ScopeDriver) { self.driver = driver }

  func enqueue(_ job: consuming ExecutorJob) { driver.addAway(UnownedJob(job)) }
}
