// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

extension TreeActivity {
  /// Describes a tree that has not answered for some time.
  ///
  /// The code that asks runs on a thread of the global executor. A tree that waited for one was enqueued earlier, and has
  /// had its turn: if it does not answer, a later step of its own occupies it, or its priority is lower.
  ///
  /// - Parameter time: the minimum time for which it has not answered.
  func report(after time: Duration) -> ShutdownReport {
    ShutdownReport(unfinishedTasks: [], busy: busy(for: time, isRunning: true))
  }

  /// Describes the turn that runs now; nil if none is known.
  ///
  /// - Parameters:
  ///   - time: the minimum time for which it has run.
  ///   - isRunning: whether the tree is known to run although no turn is recorded.
  func busy(for time: Duration, isRunning: Bool = false) -> ShutdownReport.BusyTree? {
    let state = state.withLock { $0 }
    guard let work = current(isRunning: isRunning) else { return nil }
    let details = state.details?.value ?? Details()
    let resigning = state.resigning?.value
    let elapsed = (details.start ?? resigning?.start).map { SuspendingClock.now - $0 }
    let names = [state.tree, state.root?.description].compactMap { $0 }
    return ShutdownReport.BusyTree(
      root: names.isEmpty ? "A tree" : names.joined(separator: ":"), activity: details.work?.name ?? work,
      path: resigning?.path ?? details.path,
      isResigning: resigning != nil, time: max(time, elapsed ?? time))
  }
}
