// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// The state of a worker: whether it is started, and its current run.
///
/// `start()` and `stop()` change only whether it is started. All transitions of the run; where a field is empty, nothing
/// changes:
///
/// | from | `begin()` | `didBegin()` | `halt()` | `didHalt()` |
/// |---|---|---|---|---|
/// | `idle` | `beginning`, if it is started | | | |
/// | `beginning` | the caller halts it first | `running` | `stopping`, without `didStop()` | |
/// | `running` | the caller halts it first | | `stopping`, then `didStop()` | |
/// | `stopping` | begins again afterwards | | does not begin again | `idle` |
struct WorkerState {
  /// The phase of a run.
  enum Phase: Equatable {
    /// Not running.
    case idle
    /// Running, before `didStart(_:)`. An observer of the event may stop the worker first.
    case beginning
    /// Running, after `didStart(_:)`. `didStop()` will be called once.
    case running
    /// Ending the run's bound work, before `didStop()`. A new run waits until that has returned.
    case stopping(beginsAgain: Bool)
  }

  /// Whether the worker was started and has not been stopped since, even if its scope is inactive.
  private(set) var isStarted = false
  private(set) var phase = Phase.idle
  /// Changes whenever the worker is started, begins, or stops, to detect changes made by a callback.
  private(set) var epoch: UInt32 = 0

  var isIdle: Bool { phase == .idle }

  /// Whether the worker is running: it was started, and its scope is active.
  var isRunning: Bool { phase == .beginning || phase == .running }

  mutating func start() {
    isStarted = true
    epoch &+= 1
  }

  mutating func stop() {
    isStarted = false
    epoch &+= 1
  }

  /// The scope is active. The caller has halted the run of the previous activation.
  ///
  /// - Returns: whether a run begins.
  mutating func begin() -> Bool {
    if case .stopping = phase { phase = .stopping(beginsAgain: true) }
    guard isIdle, isStarted else { return false }
    phase = .beginning
    epoch &+= 1
    return true
  }

  /// The begin of the run was reported.
  mutating func didBegin() { if phase == .beginning { phase = .running } }

  /// The scope is no longer active, or the worker was stopped.
  ///
  /// - Returns: whether `didStop()` is called when the work of the run has ended; nil if no run ends.
  mutating func halt() -> Bool? {
    guard !isIdle else { return nil }
    defer { phase = .stopping(beginsAgain: false) }
    guard isRunning else { return nil }
    epoch &+= 1
    return phase == .running
  }

  /// The work of the run has ended.
  ///
  /// - Returns: whether the next run begins now, if there is a scope.
  mutating func didHalt() -> Bool {
    guard case .stopping(let beginsAgain) = phase else { return false }
    phase = .idle
    return beginsAgain
  }
}
