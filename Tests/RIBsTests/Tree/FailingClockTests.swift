// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting
import TestSupport
import Testing

/// A limit in time that the runtime sets.
enum TimeLimitForm: String, CaseIterable, Sendable {
  case task, run, step, waitForItem, shutdown, shutdownOfHost
}

@Suite("On a clock whose sleep throws", .patient, .timeLimit(.minutes(15)))
@MainActor
struct FailingClockTests {
  private static let timeout = Duration.milliseconds(20)
  private let journal = Journal()

  /// A tree on the clock, which writes that a failure reaches its root.
  private func launch(_ root: Scripted.RootRouter, leakDetection: TreeConfiguration.LeakDetection = .off) -> Tree {
    root.interactor.onFail = { [journal] _ in journal.write("failed") }
    return Tree.launched(
      root,
      TreeConfiguration(
        clock: FailingClock(), leakDetection: leakDetection,
        onLeak: { [journal] leak in journal.write("leak of \(leak.path)") }))
  }

  @Test("a timeout passes in real time: neither at once, nor never", arguments: TimeLimitForm.allCases)
  func expires(_ form: TimeLimitForm) async throws {
    let timeout = FailingClockTests.timeout
    let root = Scripted.RootRouter()
    let tree = launch(root)
    let (gate, interactor) = (Gate(), root.interactor)
    let child = Scripted.ChildRouter()
    var subscription: (any Disposable)?
    let start = ContinuousClock.now
    switch form {
    case .task: interactor.task(timeout: timeout) { await gate.pass() }
    case .run: interactor.run(timeout: timeout, { await gate.pass() }) { _ in }
    case .step:
      let workflow = RideWorkflow({ _ in }).onStep(timeout: timeout) { root in
        await gate.pass()
        return (root, ())
      }
      subscription = workflow.commit().subscribe(interactor)
    case .waitForItem:
      let workflow = RideWorkflow({ _ in }, timeout: timeout).onStep { _ in (child.interactor, ()) }
      subscription = workflow.onStep { child, _ in (child, ()) }.commit().subscribe(interactor)
    case .shutdown:
      interactor.task { [journal] in await gate.passStubbornly(journal) }
      await journal.wait(for: "begun")
      #expect(await tree.shutdown(timeout: timeout).unfinishedTasks.count == 1)
    case .shutdownOfHost:
      let host = await TreeHost(configuration: TreeConfiguration(clock: FailingClock(), leakDetection: .off)) {
        Scripted.RootRouter()
      }
      try await host.perform { [journal] root in
        root.interactor.task { await gate.passStubbornly(journal) }
      }
      await journal.wait(for: "begun")
      #expect(await host.shutdown(timeout: timeout).unfinishedTasks.count == 1)
    }
    if form != .shutdown, form != .shutdownOfHost { await journal.wait(for: "failed") }
    #expect(start.duration(to: .now) >= timeout)
    subscription?.dispose()
    gate.open()
    await tree.shutdown()
  }

  @Test("a RIB is looked for as a leak after the delay, and one that is released by then is not reported")
  func leaks() async {
    let root = Scripted.RootRouter()
    let tree = launch(root, leakDetection: .after(FailingClockTests.timeout))
    let start = ContinuousClock.now
    do {
      let released = Scripted.ChildRouter()
      root.attachAndDetach(released)
    }
    let kept = Scripted.LeafRouter()
    root.attachAndDetach(kept)
    await journal.wait(for: "leak of Root/Leaf")
    #expect(start.duration(to: .now) >= FailingClockTests.timeout)
    #expect(journal.lines == ["leak of Root/Leaf"])
    await tree.shutdown()
    withExtendedLifetime(kept) {}
  }
}
