import RIBs
import Testing

@Suite("An error in a workflow")
@MainActor
struct WorkflowErrorTests {
  typealias Item = Scripted.Interactor

  private let scene = Scene()

  @Test(
    "reaches the handlers after the step that failed, and the interactor if there is none",
    arguments: 1...3, [nil, 1, 2, 3])
  func handlers(failing: Int, handler: Int?) async {
    let journal = scene.journal
    let workflow = JournalWorkflow<Item>(journal)
    var step = workflow.onStep { root in (root, ()) }
    for number in 1...3 {
      step = step.onStep { root, _ in
        if number == failing { throw Failure() }
        return (root, ())
      }
      if handler == number { step = step.onError { journal.write("onError \($0)") } }
    }
    let subscription = step.commit().subscribe(scene.root.interactor)
    await journal.wait(for: "didReceiveError Failure")
    let isHandled = handler.map { $0 >= failing } ?? false
    #expect(
      scene.lines == Array(repeating: "workflowStepEnded Root", count: failing) + ["workflowStepFailed Root Failure"]
        + (isHandled ? ["onError Failure"] : []) + ["didReceiveError Failure"]
        + (isHandled ? [] : ["Root didFail Failure"]))
    #expect(journal.lines.contains("taskFailed Root Failure") != isHandled)
    subscription.dispose()
    await scene.tree.shutdown()
  }

  @Test("that a handler takes in one fork is not taken in another")
  func handlerOfFork() async {
    let journal = scene.journal
    let workflow = JournalWorkflow<Item>(journal)
    let shared = workflow.onStep { root in (root, ()) }
    shared.onError { _ in journal.write("must not be called") }.commit()
    shared.onStep { _, _ -> (Item, Void)? in throw Failure() }.commit()
    let subscription = workflow.subscribe(scene.root.interactor)
    await journal.wait(for: "Root didFail Failure")
    #expect(!journal.lines.contains("must not be called"))
    subscription.dispose()
    await scene.tree.shutdown()
  }

  /// How a step ends without a value.
  enum Nothing: CaseIterable {
    case returned, emptyStream, streamThatEnds
  }

  @Test("is made of a step that ends without a value", arguments: Nothing.allCases)
  func noValue(_ nothing: Nothing) async {
    let journal = scene.journal
    let workflow = JournalWorkflow<Item>(journal)
    var relay: PublishRelay<(Item, Void)>? = PublishRelay()
    let step: Step<Item, Item, Void> =
      switch nothing {
      case .returned: workflow.onStep { _ in nil }
      case .emptyStream: workflow.onStep { _ in await Observable<(Item, Void)>.empty().first() }
      case .streamThatEnds: workflow.onStep { [stream = relay?.asObservable()] _ in await stream?.first() }
      }
    let subscription = step.onStep { root, _ in (root, journal.write("must not run")) }.commit()
      .subscribe(scene.root.interactor)
    for _ in 0..<10 { await Task.yield() }
    relay = nil
    let error =
      "A step of a workflow that worked on Root has ended without a value. "
      + "Return a value, or throw an error that says why there is none."
    await journal.wait(for: "Root didFail \(error)")
    #expect(
      scene.lines == ["workflowStepFailed Root \(error)", "didReceiveError \(error)", "Root didFail \(error)"])
    subscription.dispose()
    await scene.tree.shutdown()
  }

  @Test("is thrown by run, and told to nobody else")
  func run() async {
    let journal = scene.journal
    let workflow = JournalWorkflow<Item>(journal)
    workflow.onStep { _ -> (Item, Void)? in throw Failure() }.commit()
    await #expect(throws: Failure.self) { try await workflow.run(scene.root.interactor) }
    #expect(scene.lines == ["workflowStepFailed Root Failure", "didReceiveError Failure"])
    await scene.tree.shutdown()
  }

  @Test("of another fork is not thrown by the run of a step, but told to the interactor")
  func runOfStep() async throws {
    let journal = scene.journal
    let workflow = JournalWorkflow<Item>(journal)
    workflow.onStep { _ -> (Item, Void)? in throw Failure() }.commit()
    let value = try await workflow.onStep { root in (root, 42) }.run(scene.root.interactor)
    #expect(value == 42)
    #expect(
      scene.lines == [
        "workflowStepFailed Root Failure", "didReceiveError Failure", "Root didFail Failure", "workflowStepEnded Root",
        "didComplete",
      ])
    await scene.tree.shutdown()
  }

  @Test("is all that comes of a workflow without committed steps")
  func notCommitted() async {
    let log = MisuseLog()
    let workflow = Workflow<Item>()
    _ = workflow.onStep { root in (root, ()) }
    await #expect(throws: WorkflowError.notCommitted(workflow: "Workflow<Interactor>")) {
      try await workflow.run(scene.root.interactor)
    }
    let item = Item()
    withMisuseHandler({ log.add($0) }) { workflow.subscribe(item).dispose() }
    #expect(log.kinds == [.workflowWithoutSteps])
    #expect(log.misuses.first?.severity == .error)
    workflow.subscribe(scene.root.interactor).dispose()
    #expect(scene.lines == ["misuse Root", "error workflowWithoutSteps Root"])
    await scene.tree.shutdown()
  }
}

@Suite("A workflow that is started nowhere")
struct NowhereTests {
  @Test("is refused, with advice")
  func refused() async {
    let workflow = Workflow<Int>()
    workflow.onStep { number in (number, ()) }.commit()
    let refusals = misuses { workflow.subscribe(1).dispose() }
    #expect(refusals == [.workOutsideTree])
    let error = await #expect(throws: WorkflowError.self) { try await workflow.run(1) }
    #expect(error == .outsideTree(workflow: "Workflow<Int>"))
    #expect("\(error, default: "")".contains("Start it with an interactor that stands in a tree, or on an actor."))
  }
}
