// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// A shutdown of a tree that reports within a timeout, even if the tree's actor does not answer.
package struct LimitedShutdown: Sendable {
  /// How long after the timeout to wait for the tree's own report. Tests that expect that report wait longer, because a
  /// busy machine may be late to ask the tree.
  @TaskLocal package static var grace = Duration.milliseconds(50)

  /// The report of the tree, or the one made without it.
  package let report = Promise<ShutdownReport>()
  private let home: TreeActor
  private let settings: TreeSettings
  private let activity: TreeActivity
  private let ending: Task<Void, Never>

  /// Begins to end a tree, in a task that is not cancelled with the calling one.
  ///
  /// - Parameter caller: the Swift task that requested the shutdown, which may be part of the tree's work.
  init(_ home: TreeActor, _ settings: TreeSettings, _ activity: TreeActivity, caller: Int?) {
    self.home = home
    self.settings = settings
    self.activity = activity
    ending = Task { [report] in report.set(await home.shutdown(timeout: nil, caller: caller, isLimited: true)) }
  }

  /// Releases what waits, once there is a report.
  package func finish() { ending.cancel() }

  /// Starts the timer that makes this shutdown report.
  func startTimer(_ timeout: Duration) -> StartedTimer {
    let grace = LimitedShutdown.grace
    return StartedTimer(on: settings.clock, after: timeout, executor: settings.offTreeExecutor) {
      await LimitedShutdown.expire([self], after: timeout, grace: grace)
    }
  }

  /// Makes shutdowns report that have not reported yet.
  ///
  /// - Parameters:
  ///   - timeout: how long they have waited.
  ///   - grace: how long to wait for the trees' own reports.
  package static func expire(_ shutdowns: [LimitedShutdown], after timeout: Duration, grace: Duration) async {
    let late = shutdowns.filter { !$0.report.isSet }
    guard !late.isEmpty else { return }
    // The tree's own report has more detail than one made without it.
    let answers = late.map { shutdown in Task { shutdown.report.set(await shutdown.home.unfinishedWork()) } }
    await withTaskGroup(of: Void.self) { group in
      group.addTask { for shutdown in late { _ = try? await shutdown.report.valueUnlessCancelled() } }
      group.addTask { try? await ContinuousClock().wait(for: grace) }
      await group.next()
      group.cancelAll()
    }
    for shutdown in late {
      shutdown.report.set(shutdown.activity.report(after: timeout))
    }
    for answer in answers { answer.cancel() }
  }
}
