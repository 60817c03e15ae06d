@testable import RIBs
import Testing

@Suite("A step of a workflow")
@MainActor
struct WaitingTests {
  typealias Item = Scripted.Interactor

  private let scene = Scene()

  /// A workflow of one step on the root, which leads to a child, and one on the child.
  private func toChild(timeout: Duration? = .seconds(30)) -> Workflow<Item> {
    let (journal, child) = (scene.journal, scene.child)
    return JournalWorkflow<Item>(journal, timeout: timeout)
      .onStep { root in
        journal.write("at root")
        return (child.interactor, ())
      }
      .onStep { child, _ in
        journal.write("at child \(child.isActive)")
        return (child, ())
      }
      .commit()
  }

  @Test("waits until its item is active")
  func waits() async {
    let subscription = toChild().subscribe(scene.root.interactor)
    await scene.clock.waitForSleeper()
    #expect(scene.lines == ["at root", "workflowStepEnded Root"])
    scene.root.attachChild(scene.child)
    await scene.journal.wait(for: "workflow gone")
    #expect(
      scene.lines == [
        "at root", "workflowStepEnded Root", "at child true", "workflowStepEnded Root/Child", "didComplete",
        "workflow gone",
      ])
    #expect(!scene.clock.isAwaited)
    subscription.dispose()
    await scene.tree.shutdown()
  }

  @Test("waits for the item that the workflow is started with, in a tree or not yet", arguments: [false, true])
  func waitsAtFirst(isInTree: Bool) async {
    scene.child.attachChild(scene.leaf)
    if isInTree {
      scene.root.attachChild(scene.child)
      scene.child.interactor.deactivate()
    }
    let journal = scene.journal
    let workflow = JournalWorkflow<Item>(journal, timeout: isInTree ? .seconds(30) : nil)
      .onStep { leaf in (leaf, journal.write("at leaf \(leaf.isActive)")) }
      .commit()
    let subscription = workflow.subscribe(scene.leaf.interactor)
    if isInTree { await scene.clock.waitForSleeper() }
    for _ in 0..<10 { await Task.yield() }
    #expect(scene.lines == [])
    if isInTree { scene.child.interactor.activate() } else { scene.root.attachChild(scene.child) }
    await journal.wait(for: "didComplete")
    #expect(scene.lines == ["at leaf true", "workflowStepEnded Root/Child/Leaf", "didComplete"])
    subscription.dispose()
    await scene.tree.shutdown()
  }

  @Test("does not begin while its item is resigning")
  func resigning() async {
    scene.root.attachChild(scene.child)
    let workflow = toChild()
    var subscription: (any Disposable)?
    scene.child.interactor.onResign = { child in
      child.onResign = nil
      subscription = workflow.subscribe(child)
    }
    scene.root.detachChild(scene.child)
    await scene.clock.waitForSleeper()
    #expect(scene.lines == [])
    scene.root.attachChild(scene.child)
    await scene.journal.wait(for: "didComplete")
    #expect(scene.lines.filter { $0.hasPrefix("at") } == ["at root", "at child true"])
    subscription?.dispose()
    await scene.tree.shutdown()
  }

  @Test("gives up waiting in the time of the tree's clock, which tells the interactor that came before, by path")
  func timesOut() async {
    let subscription = toChild(timeout: .seconds(5)).subscribe(scene.root.interactor)
    await scene.clock.waitForSleeper()
    scene.clock.advance(by: .seconds(4))
    // A stay of the item that is over when the step might begin does not count.
    scene.root.attachChild(scene.child)
    scene.root.detachChild(scene.child)
    await Task.yield()
    #expect(scene.lines == ["at root", "workflowStepEnded Root"])
    scene.clock.advance(by: .seconds(1))
    await scene.journal.wait(for: "workflow gone")
    let error = WorkflowError.timedOut(scene.child.path, after: .seconds(5))
    #expect("\(error)".hasPrefix("Child was not active within 5.0 seconds"))
    #expect(
      scene.lines == [
        "at root", "workflowStepEnded Root", "workflowStepFailed Root \(error)", "didReceiveError \(error)",
        "Root didFail \(error)", "workflow gone",
      ])
    subscription.dispose()
    await scene.tree.shutdown()
  }

  @Test("waits as long as it takes if the workflow has no timeout")
  func noTimeout() async {
    let subscription = toChild(timeout: nil).subscribe(scene.root.interactor)
    await scene.journal.wait(for: "workflowStepEnded Root")
    for _ in 0..<10 { await Task.yield() }
    #expect(!scene.clock.isAwaited)
    scene.root.attachChild(scene.child)
    await scene.journal.wait(for: "didComplete")
    subscription.dispose()
    await scene.tree.shutdown()
  }

  @Test("does not keep the item alive that it waits for, and ends when that is gone")
  func gone() async {
    let journal = scene.journal
    var lost: Scripted.LeafRouter? = Scripted.LeafRouter()
    lost?.interactor.onDeinit = { journal.write("leaf gone") }
    let subscription = JournalWorkflow<Item>(journal)
      .onStep { [weak lost] _ in lost.map { ($0.interactor, ()) } }
      .onStep { leaf, _ in (leaf, journal.write("at leaf")) }
      .commit()
      .subscribe(scene.root.interactor)
    await scene.clock.waitForSleeper()
    lost = nil
    await journal.wait(for: "workflow gone")
    let text = "\(WorkflowError.itemGone(Scripted.LeafRouter().path))"
    #expect(text.hasPrefix("Leaf was released before it became active"))
    #expect(
      scene.lines == [
        "workflowStepEnded Root", "leaf gone", "workflowStepFailed Root \(text)", "didReceiveError \(text)",
        "Root didFail \(text)", "workflow gone",
      ])
    #expect(!scene.clock.isAwaited)
    subscription.dispose()
    await scene.tree.shutdown()
  }

  @Test("that waits ends with the tree, and names what has ended")
  func endOfTree() async {
    let subscription = toChild().subscribe(scene.root.interactor)
    await scene.clock.waitForSleeper()
    #expect(await scene.tree.shutdown().stuck.isEmpty)
    #expect(scene.lines.suffix(2) == ["didReceiveError \(TreeEnded())", "workflow gone"])
    #expect(!scene.clock.isAwaited)
    subscription.dispose()
  }

  @Test("that waits can be run from anywhere on the actor of the tree, and times out with the path")
  func run() async {
    let clock = scene.clock
    let timer = Task {
      await clock.waitForSleeper()
      clock.advance(by: .seconds(30))
    }
    let error = await #expect(throws: WorkflowError.self) { try await toChild().run(scene.root.interactor) }
    #expect(error == .timedOut(scene.child.path, after: .seconds(30)))
    // Whoever waits for the end has been told.
    #expect(!scene.lines.contains { $0.hasPrefix("Root didFail") })
    await timer.value
    await scene.tree.shutdown()
  }

  @Test("waits for a double of an interactor as for a real one, and is cancelled when it resigns")
  func double() async throws {
    let journal = Journal()
    let double = Double()
    let workflow = JournalWorkflow<any Asked>(journal, timeout: nil)
    workflow.onStep { item in
      journal.write("asked \(item.isActive)")
      await Gate().pass()
      return (item, ())
    }
    .commit()
    let subscription = workflow.subscribe(double)
    for _ in 0..<10 { await Task.yield() }
    #expect(journal.lines == [])
    double.activity.accept(true)
    await journal.wait(for: "asked true")
    double.activity.accept(false)
    let error = WorkflowError.itemResigned(TreePath([Double.self]))
    await journal.wait(for: "didReceiveError \(error)")
    #expect("\(error)".hasPrefix("Double resigned while a step"))
    subscription.dispose()
  }
}

private protocol Asked: InteractorScope {}

private final class Double: Asked {
  let activity = BehaviorRelay(value: false)
  var isActive: Bool { activity.value }
  var isActiveStream: Observable<Bool> { activity.asObservable() }
}
