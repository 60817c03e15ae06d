// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import RIBs
import RIBsTesting
import Testing

@Suite("An error in a workflow", .folded)
struct WorkflowErrorTests {
  typealias Item = Scripted.Interactor

  private let scene = Scene(recording: [.workflows, .tasks])
  private var test: TestTree { scene.test }

  @Test(
    "reaches the handlers after the step that failed, or the interactor if there is none",
    arguments: 1...3, [nil, 1, 2, 3])
  func handlers(failing: Int, handler: Int?) {
    let write = scene.write
    let workflow = RideWorkflow(write)
    var step = workflow.onStep { root in (root, ()) }
    for number in 1...3 {
      step = step.onStep { root, _ in
        if number == failing { throw Failure() }
        return (root, ())
      }
      if handler == number { step = step.onError { write("onError \($0)") } }
    }
    scene.start(step.commit())
    let isHandled = handler.map { $0 >= failing } ?? false
    let ended = Array(repeating: "Root RideWorkflow step ended", count: failing).joined(separator: "\n")
    test.expect(
      """
      Root task RideWorkflow started
      \(ended)
      Root RideWorkflow step failed: Failure
      \(isHandled ? "onError Failure" : "")
      didReceiveError Failure
      \(isHandled ? "Root task RideWorkflow ended" : "Root task RideWorkflow failed: Failure\nRoot didFail Failure")
      """)
    test.finish()
  }

  @Test("that a handler takes in one fork is not taken in another")
  func handlerOfFork() {
    let write = scene.write
    let workflow = RideWorkflow(write)
    let shared = workflow.onStep { root in (root, ()) }
    shared.onError { _ in write("must not be called") }.commit()
    shared.onStep { _, _ -> (Item, Void)? in throw Failure() }.commit()
    scene.start(workflow)
    test.expect(
      """
      Root task RideWorkflow started
      Root RideWorkflow step ended
      Root task RideWorkflow started
      Root task RideWorkflow ended
      Root RideWorkflow step failed: Failure
      didReceiveError Failure
      didComplete
      Root task RideWorkflow failed: Failure
      Root didFail Failure
      """)
    test.finish()
  }

  /// How a step ends without a value.
  enum Nothing: CaseIterable {
    case returned, emptyStream, streamThatEnds
  }

  @Test("is created for a step that ends without a value", arguments: Nothing.allCases)
  func noValue(_ nothing: Nothing) {
    let write = scene.write
    let workflow = RideWorkflow(write)
    var relay: PublishRelay<(Item, Void)>? = PublishRelay()
    let step: Step<Item, Item, Void> =
      switch nothing {
      case .returned: workflow.onStep { _ in nil }
      case .emptyStream: workflow.onStep { _ in await Observable<(Item, Void)>.empty().first() }
      case .streamThatEnds: workflow.onStep { [stream = relay?.asObservable()] _ in await stream?.first() }
      }
    scene.start(step.onStep { root, _ in (root, write("must not run")) }.commit())
    if nothing == .streamThatEnds { #expect(test.transcript.lines == ["Root task RideWorkflow started"]) }
    relay = nil
    test.settle()
    let error =
      "A step of a workflow that worked on Root has ended without a value. "
      + "Return a value, or throw an error that says why there is none."
    test.expect(
      """
      Root task RideWorkflow started
      Root RideWorkflow step failed: \(error)
      didReceiveError \(error)
      Root task RideWorkflow failed: \(error)
      Root didFail \(error)
      """)
    test.finish()
  }

  @Test("is thrown by run, and reported nowhere else")
  func run() {
    let root = scene.root.interactor
    let workflow = RideWorkflow(scene.write)
    workflow.onStep { _ -> (Item, Void)? in throw Failure() }.commit()
    scene.run { try await workflow.run(root) }
    test.expect(
      """
      Root task run started
      Root task RideWorkflow started
      Root RideWorkflow step failed: Failure
      didReceiveError Failure
      Root task RideWorkflow ended
      thrown Failure
      Root task run ended
      """)
    test.finish()
    withExtendedLifetime(workflow) {}
  }

  @Test("of another fork is not thrown by the run of a step, but reported to the interactor")
  func runOfStep() {
    let (write, root) = (scene.write, scene.root.interactor)
    let workflow = RideWorkflow(write)
    workflow.onStep { _ -> (Item, Void)? in throw Failure() }.commit()
    let step = workflow.onStep { root in (root, 42) }
    scene.run { write("value \(try await step.run(root))") }
    test.expect(
      """
      Root task run started
      Root task RideWorkflow started
      Root task RideWorkflow started
      Root RideWorkflow step failed: Failure
      didReceiveError Failure
      Root task RideWorkflow failed: Failure
      Root didFail Failure
      Root RideWorkflow step ended
      didComplete
      Root task RideWorkflow ended
      value 42
      Root task run ended
      """)
    test.finish()
    withExtendedLifetime(workflow) {}
  }

  @Test("is thrown for a workflow without committed steps")
  func notCommitted() {
    let root = scene.root.interactor
    let workflow = Workflow<Item>()
    _ = workflow.onStep { root in (root, ()) }
    scene.run { try await workflow.run(root) }
    let error = WorkflowError.notCommitted(workflow: "Workflow<Interactor>")
    test.expect("Root task run started", "thrown \(error)", "Root task run ended")
    test.start(workflow, with: root)
    test.expect("Root misuse: workflowWithoutSteps")
    test.start(workflow, with: root)
    let refused = test.takeMisuses()
    #expect(refused.map(\.kind) == [.workflowWithoutSteps])
    #expect(refused.map(\.severity) == [.error])
    let item = Item()
    #expect(misuses { workflow.subscribe(item).dispose() } == [.workflowWithoutSteps])
    test.finish()
  }
}

@Suite("A workflow that runs outside any tree", .folded)
@MainActor
struct OutsideTests {
  @Test("completes once, or receives the error of a step and does not complete", arguments: [false, true])
  func ends(fails: Bool) async {
    let journal = Journal()
    let subscription = RecordedWorkflow<Void>(journal.write)
      .onStep { _ in ((), ()) }
      .onStep { _, _ -> ((), ())? in
        if fails { throw Failure() }
        return ((), ())
      }
      .onStep { _, _ in ((), ()) }
      .commit()
      .subscribe((), isolation: MainActor.shared)
    await journal.wait(for: "workflow gone")
    #expect(journal.lines == [fails ? "didReceiveError Failure" : "didComplete", "workflow gone"])
    subscription.dispose()
  }

  @Test("begins no chain that is committed when its run has returned")
  func committedLate() async throws {
    let journal = Journal()
    let workflow = Workflow<Int>()
    let first = workflow.onStep { number in (number, ()) }
    first.commit()
    try await workflow.run(1)
    first.onStep { number, _ in (number, journal.write("late")) }.commit()
    #expect(try await first.onStep { number, _ in (number, number + 1) }.run(1) == 2)
    // The chain is a part of later runs.
    #expect(journal.lines == ["late"])
  }
}

@Suite("A workflow that is started outside any tree and actor", .folded)
struct NowhereTests {
  @Test("is refused, with advice")
  func refused() async {
    let workflow = Workflow<Int>()
    workflow.onStep { number in (number, ()) }.commit()
    let refusals = misuses { workflow.subscribe(1).dispose() }
    #expect(refusals == [.taskOutsideTree])
    let error = await #expect(throws: WorkflowError.self) { try await workflow.run(1) }
    #expect(error == .outsideTree(workflow: "Workflow<Int>"))
    #expect(
      "\(error, default: "")".contains(
        "Start it with an interactor that is in a tree, or with subscribe(_:isolation:)"))
  }
}
