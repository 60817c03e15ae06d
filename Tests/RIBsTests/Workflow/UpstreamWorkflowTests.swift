// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import RIBs
import Testing

/// The assertions of the workflow tests of uber/RIBs-iOS, with trivial items outside any tree.
@Suite("A workflow on no item", .folded)
@MainActor
struct UpstreamWorkflowTests {
  private let journal = Journal()

  @Test("runs nested steps once each")
  func nestedSteps() async throws {
    let journal = journal
    try await Workflow<Void>()
      .onStep { _ in
        journal.write("outer 1")
        return ((), ())
      }
      .onStep { _, _ in
        journal.write("outer 2")
        return ((), ())
      }
      .onStep { _, _ in
        journal.write("outer 3")
        return ((), ())
      }
      .commit()
      .run(())
    #expect(journal.lines == ["outer 1", "outer 2", "outer 3"])
  }

  @Test("receives the error of a step, and does not complete")
  func receivesError() async {
    let subscription = RecordedWorkflow<Void>(journal.write)
      .onStep { _ in ((), ()) }
      .onStep { _, _ -> ((), ())? in throw Failure() }
      .onStep { _, _ in ((), ()) }
      .commit()
      .subscribe((), isolation: MainActor.shared)
    await journal.wait(for: "workflow gone")
    #expect(journal.lines == ["didReceiveError Failure", "workflow gone"])
    subscription.dispose()
  }

  @Test("completes once")
  func completes() async {
    let subscription = RecordedWorkflow<Void>(journal.write)
      .onStep { _ in ((), ()) }
      .onStep { _, _ in ((), ()) }
      .onStep { _, _ in ((), ()) }
      .commit()
      .subscribe((), isolation: MainActor.shared)
    await journal.wait(for: "workflow gone")
    #expect(journal.lines == ["didComplete", "workflow gone"])
    subscription.dispose()
  }

  @Test("reports a fork, and completes once")
  func forks() async {
    let workflow = RecordedWorkflow<Void>(journal.write)
    let subscription =
      workflow
      .onStep { _ in ((), ()) }
      .onStep { _, _ in ((), ()) }
      .onStep { _, _ in ((), ()) }
      .fork()
      .onStep { _, _ in ((), ()) }
      .commit()
      .subscribe((), isolation: MainActor.shared)
    await journal.wait(for: "didComplete")
    #expect(journal.lines == ["didFork", "didComplete"])
    subscription.dispose()
  }

  @Test("runs a step with two forks once, and not before it is started")
  func forkedOnce() async {
    let workflow = RecordedWorkflow<Void>(journal.write)
    let root = workflow.onStep { [journal] _ in
      journal.write("root")
      return ((), ())
    }
    for name in ["first", "second"] {
      root.fork()
        .onStep { [journal] _, _ in
          journal.write(name)
          return ((), ())
        }
        .commit()
    }
    #expect(journal.lines == ["didFork", "didFork"])
    let subscription = workflow.subscribe((), isolation: MainActor.shared)
    await journal.wait(for: "didComplete")
    #expect(journal.lines == ["didFork", "didFork", "root", "first", "second", "didComplete"])
    subscription.dispose()
  }
}
