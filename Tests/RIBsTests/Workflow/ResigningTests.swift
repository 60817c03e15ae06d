import RIBs
import Testing

@Suite("A workflow whose item resigns")
@MainActor
struct ResigningTests {
  typealias Item = Scripted.Interactor

  private let scene = Scene()

  /// How a step reacts to its cancellation.
  enum Reaction: CaseIterable {
    case throwsCancellation, throwsFailure, returnsValue, returnsNothing
  }

  @Test(
    "is cancelled and ends with the path of the item, whatever the step makes of it",
    arguments: Reaction.allCases, [false, true])
  func duringStep(_ reaction: Reaction, isBackAtOnce: Bool) async {
    let journal = scene.journal
    scene.root.attachChild(scene.child)
    let subscription = JournalWorkflow<Item>(journal)
      .onStep { child in
        journal.write("begun")
        await Gate().pass()
        journal.write("cancelled \(Task.isCancelled)")
        switch reaction {
        case .throwsCancellation: throw CancellationError()
        case .throwsFailure: throw Failure()
        case .returnsValue: return (child, ())
        case .returnsNothing: return nil
        }
      }
      .onStep { child, _ in (child, journal.write("must not run")) }
      .commit()
      .subscribe(scene.child.interactor)
    await journal.wait(for: "begun")
    scene.root.detachChild(scene.child)
    if isBackAtOnce { scene.root.attachChild(scene.child) }
    await journal.wait(for: "workflow gone")
    let error =
      "Root/Child resigned while a step of a workflow worked on it. "
      + "A step that ends a RIB belongs to one that stays, such as the parent."
    #expect(
      scene.lines == [
        "begun", "cancelled true",
        // What a step throws for a reason of its own is told too.
        "workflowStepFailed Root/Child \(reaction == .throwsFailure ? "Failure" : error)",
        "didReceiveError \(error)", "workflow gone",
      ])
    #expect(journal.lines.contains("taskFailed Root/Child \(error)"))
    subscription.dispose()
    await scene.tree.shutdown()
  }

  @Test("is not touched by the end of an item that it has done with")
  func afterStep() async {
    let journal = scene.journal
    scene.root.attachChild(scene.child)
    let root = scene.root.interactor
    let gate = Gate()
    let subscription = JournalWorkflow<Item>(journal)
      .onStep { _ in (root, ()) }
      .onStep { root, _ in
        journal.write("at root")
        await gate.pass()
        return (root, ())
      }
      .commit()
      .subscribe(scene.child.interactor)
    await journal.wait(for: "at root")
    scene.root.detachChild(scene.child)
    gate.open()
    await journal.wait(for: "didComplete")
    subscription.dispose()
    await scene.tree.shutdown()
  }

  @Test("does not keep an item alive that it has done with")
  func released() async {
    let journal = scene.journal
    let root = scene.root.interactor
    let gate = Gate()
    var child: Scripted.ChildRouter? = Scripted.ChildRouter()
    child?.interactor.onDeinit = { journal.write("child gone") }
    let workflow = JournalWorkflow<Item>(journal)
    workflow
      .onStep { [weak child] _ in child.map { ($0.interactor, ()) } }
      .onStep { _, _ in (root, ()) }
      .onStep { root, _ in
        journal.write("waiting")
        await gate.pass()
        return (root, ())
      }
      .commit()
    if let child { scene.root.attachChild(child) }
    let subscription = workflow.subscribe(root)
    await journal.wait(for: "waiting")
    if let child { scene.root.detachChild(child) }
    child = nil
    #expect(scene.lines.last == "child gone")
    gate.open()
    await journal.wait(for: "didComplete")
    subscription.dispose()
    await scene.tree.shutdown()
  }

  @Test("ends without a word if it was bound to the item")
  func bound() async {
    let journal = scene.journal
    scene.root.attachChild(scene.child)
    JournalWorkflow<Item>(journal)
      .onStep { child in
        journal.write("begun")
        await Gate().pass()
        return (child, ())
      }
      .onError { _ in journal.write("onError") }
      .commit()
      .subscribe(scene.child.interactor)
      .disposeOnDeactivate(interactor: scene.child.interactor)
    await journal.wait(for: "begun")
    scene.root.detachChild(scene.child)
    await journal.wait(for: "workflow gone")
    #expect(scene.lines == ["begun", "workflow gone"])
    #expect(journal.lines.contains("taskEnded Root/Child"))
    await scene.tree.shutdown()
  }

  @Test("is waited for when the tree is shut down, and named when it is stuck")
  func stuck() async {
    let (journal, gate, clock) = (scene.journal, Gate(), scene.clock)
    scene.root.attachChild(scene.child)
    let child = scene.child.interactor
    let line: UInt = #line + 1
    let subscription = JournalWorkflow<Item>(journal).onStep { _ in (child, ()) }
      .onStep { child, _ in
        journal.write("begun")
        await gate.passStubbornly()
        return (child, ())
      }
      .commit()
      .subscribe(scene.root.interactor)
    await journal.wait(for: "begun")
    let timer = Task {
      await clock.waitForSleeper()
      clock.advance(by: .seconds(1))
    }
    let report = await scene.tree.shutdown(deadline: .seconds(1))
    await timer.value
    #expect(
      report.stuck.map(\.description) == ["Root/Child: JournalWorkflow<Interactor> (ResigningTests.swift:\(line + 7))"])
    gate.open()
    #expect(await scene.tree.shutdown().stuck.isEmpty)
    #expect(scene.lines.last == "workflow gone")
    subscription.dispose()
  }
}
