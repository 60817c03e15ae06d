// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting
import Testing

@Suite("A step of a workflow", .folded)
struct WaitingTests {
  private let scene = Scene()
  private var test: TestTree { scene.test }

  /// A workflow of one step on the root, which leads to a child, and one on the child.
  private func toChild(timeout: Duration? = .seconds(30)) -> Workflow<Scripted.Interactor> {
    let (write, child) = (scene.write, scene.child)
    return RideWorkflow(write, timeout: timeout)
      .onStep { root in (child.interactor, write("at root")) }
      .onStep { child, _ in (child, write("at child \(child.isActive)")) }
      .commit()
  }

  /// The message if the child has not become active in time.
  private func timeout(_ time: Duration) -> String {
    "Child was not active within \(time), so that a step of a workflow could not work on it. "
      + "Attach it before the step before returns it, or give the workflow more time."
  }

  /// The line recorded when the child becomes active.
  private let goesOn = "at child true\nRoot/Child RideWorkflow step ended\ndidComplete\nworkflow gone"

  @Test("waits until its item is active, with a timeout or without", arguments: [nil, Duration.seconds(30)])
  func waits(timeout: Duration?) {
    test.start(toChild(timeout: timeout), with: scene.root.interactor)
    test.settle()
    test.expect("at root", "Root RideWorkflow step ended")
    #expect(test.clock.deadlines.map(\.sinceBeginning) == [timeout].compactMap { $0 })
    scene.root.attachChild(scene.child)
    test.settle()
    test.expect(goesOn)
    #expect(test.clock.deadlines.isEmpty)
    test.finish()
  }

  @Test("waits in the tree of the workflow, after a step on a RIB outside it that has the ID of an ended tree")
  func waitsAfterOutside() {
    let (write, child) = (scene.write, scene.child)
    let outside = Scripted.RootRouter()
    let ended = TestTree(recording: .workflows)
    ended.launch(outside)
    ended.finish()
    outside.interactor.activate()
    var starts: [NodeID?] = []
    let subscription = test.tree?.events.subscribe(onNext: { if $0.kind == .taskStarted { starts.append($0.node) } })
    let workflow = RideWorkflow(write)
      .onStep { root in (outside.interactor, ()) }
      .onStep { outside, _ in (child.interactor, write("outside \(outside.isActive)")) }
      .onStep { child, _ in (child, write("at child \(child.isActive)")) }
      .commit()
    scene.start(workflow)
    test.expect("Root RideWorkflow step ended", "outside true")
    #expect(starts == [NodeID(1), nil])
    scene.root.attachChild(scene.child)
    test.settle()
    test.expect("at child true", "Root/Child RideWorkflow step ended", "didComplete")
    outside.interactor.deactivate()
    subscription?.dispose()
    test.finish()
  }

  @Test("waits for the item that the workflow is started with, in a tree or not yet", arguments: [false, true])
  func waitsAtFirst(isInTree: Bool) {
    let write = scene.write
    scene.child.attachChild(scene.leaf)
    if isInTree {
      scene.root.attachChild(scene.child)
      scene.child.interactor.deactivate()
    }
    let workflow = RideWorkflow(write, timeout: isInTree ? .seconds(30) : nil)
      .onStep { leaf in (leaf, write("at leaf \(leaf.isActive)")) }
      .commit()
    scene.start(workflow, with: scene.leaf.interactor)
    test.expect()
    if isInTree { scene.child.interactor.activate() } else { scene.root.attachChild(scene.child) }
    test.settle()
    test.expect("at leaf true", "Root/Child/Leaf RideWorkflow step ended", "didComplete")
    test.finish()
  }

  @Test("does not start while its item is resigning")
  func resigning() {
    scene.root.attachChild(scene.child)
    let workflow = toChild()
    var subscription: (any Disposable)?
    scene.child.interactor.onResign = { child in
      child.onResign = nil
      subscription = workflow.subscribe(child)
    }
    scene.root.detachChild(scene.child)
    test.settle()
    test.expect()
    scene.root.attachChild(scene.child)
    test.settle()
    test.expect(
      """
      at root
      Root/Child RideWorkflow step ended
      at child true
      Root/Child RideWorkflow step ended
      didComplete
      """)
    subscription?.dispose()
    test.finish()
    withExtendedLifetime(workflow) {}
  }

  @Test("times out on the tree's clock, and reports that to the previous interactor, by path")
  func timesOut() {
    test.start(toChild(timeout: .seconds(5)), with: scene.root.interactor)
    test.advance(by: .seconds(4))
    // An activation of the item that ends before the step can start does not count.
    scene.root.attachChild(scene.child)
    scene.root.detachChild(scene.child)
    test.settle()
    test.expect("at root", "Root RideWorkflow step ended")
    test.advance(by: .seconds(1))
    let error = timeout(.seconds(5))
    test.expect(
      """
      Root RideWorkflow step failed: \(error)
      didReceiveError \(error)
      Root didFail \(error)
      workflow gone
      """)
    test.finish()
  }

  @Test("does not keep the item alive that it waits for, and ends when it is released")
  func gone() {
    let write = scene.write
    var lost: Scripted.LeafRouter? = Scripted.LeafRouter()
    lost?.interactor.onDeinit = { write("leaf gone") }
    test.start(
      RideWorkflow(write)
        .onStep { [weak lost] _ in lost.map { ($0.interactor, ()) } }
        .onStep { leaf, _ in (leaf, write("at leaf")) }
        .commit(), with: scene.root.interactor)
    test.settle()
    test.expect("Root RideWorkflow step ended")
    lost = nil
    test.settle()
    let error =
      "Leaf was released before it became active, so that a step of a workflow could not work on it. "
      + "Attach it before the step before returns it."
    test.expect(
      """
      leaf gone
      Root RideWorkflow step failed: \(error)
      didReceiveError \(error)
      Root didFail \(error)
      workflow gone
      """)
    #expect(test.clock.deadlines.isEmpty)
    test.finish()
  }

  @Test("that waits ends with the tree, and reports that the tree has ended")
  func endOfTree() {
    test.start(toChild(), with: scene.root.interactor)
    test.settle()
    test.skip()
    test.tree?.end()
    test.settle()
    let error = "The tree has ended. Launch a new one, or make no call after it is shut down."
    test.expect("Child RideWorkflow step failed: \(error)", "didReceiveError \(error)", "workflow gone")
    #expect(test.runningWork.isEmpty)
    test.finish()
  }

  @Test("that waits can be run by other work, and times out with the path")
  func run() {
    let root = scene.root.interactor
    scene.run { try await toChild().run(root) }
    test.skip()
    test.advance(by: .seconds(30))
    let error = timeout(.seconds(30))
    // A caller that waits for the end has received the error, so the interactor does not.
    test.expect(
      """
      Root RideWorkflow step failed: \(error)
      didReceiveError \(error)
      workflow gone
      thrown \(error)
      """)
    test.finish()
  }

  @Test("waits for a double of an interactor as for a real one, and is cancelled when it resigns")
  func double() {
    let write = scene.write
    let double = AskedDouble()
    let answers = PendingResponses<String, Void>()
    let workflow = RecordedWorkflow<any Asked>(write, timeout: nil)
    workflow.onStep { item in
      write("asked \(item.isActive)")
      try await answers.answer(to: "Go on?")
      return (item, ())
    }
    .commit()
    test.start(workflow, with: double)
    test.settle()
    test.expect()
    double.activate()
    test.settle()
    test.expect("asked true")
    double.deactivate()
    test.settle()
    let error = Scene.resigned("AskedDouble")
    test.expect("AskedDouble RecordedWorkflow<Asked> step failed: \(error)", "didReceiveError \(error)")
    test.finish()
    withExtendedLifetime(workflow) {}
  }
}

private protocol Asked: InteractorScope {}

private final class AskedDouble: InteractableDouble, Asked {}
