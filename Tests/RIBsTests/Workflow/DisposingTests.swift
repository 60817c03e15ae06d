import RIBs
import Testing

@Suite("A workflow that is cancelled")
@MainActor
struct DisposingTests {
  typealias Item = Scripted.Interactor

  private let scene = Scene()

  /// When a workflow is disposed of.
  enum Moment: CaseIterable {
    case beforeFirstStep, duringStep, whileWaiting, inHandler, afterCompletion
  }

  @Test("ends without a word, and is released", arguments: Moment.allCases)
  func disposed(_ moment: Moment) async {
    let journal = scene.journal
    var subscription: (any Disposable)?
    let child = scene.child.interactor
    if moment != .whileWaiting { scene.root.attachChild(scene.child) }
    subscription = JournalWorkflow<Item>(journal)
      .onStep { _ in (child, ()) }
      .onStep { child, _ in
        journal.write("at child")
        if moment == .duringStep { await Gate().pass() }
        if moment == .inHandler { throw Failure() }
        return (child, ())
      }
      .onError { error in
        journal.write("onError \(error)")
        subscription?.dispose()
      }
      .commit()
      .subscribe(scene.root.interactor)
    switch moment {
    case .beforeFirstStep: break
    case .duringStep: await journal.wait(for: "at child")
    case .whileWaiting: await scene.clock.waitForSleeper()
    case .inHandler, .afterCompletion: await journal.wait(for: "workflow gone")
    }
    subscription?.dispose()
    subscription?.dispose()
    subscription = nil
    await journal.wait(for: "workflow gone")
    let ended = ["workflowStepEnded Root"]
    let told: [String] =
      switch moment {
      case .beforeFirstStep: []
      case .duringStep: ended + ["at child"]
      case .whileWaiting: ended
      case .inHandler:
        ended + [
          "at child", "workflowStepFailed Root/Child Failure", "onError Failure", "didReceiveError Failure",
        ]
      case .afterCompletion: ended + ["at child", "workflowStepEnded Root/Child", "didComplete"]
      }
    #expect(scene.lines == told + ["workflow gone"])
    #expect(!scene.clock.isAwaited)
    #expect(await scene.tree.shutdown().stuck.isEmpty)
  }

  @Test("by the task that runs it throws the cancellation, at once")
  func cancelled() async {
    let (journal, gate) = (scene.journal, Gate())
    let workflow = JournalWorkflow<Item>(journal)
    workflow.onStep { root in
      journal.write("begun")
      await gate.passStubbornly()
      journal.write("cancelled \(Task.isCancelled)")
      return (root, ())
    }
    .commit()
    let root = scene.root.interactor
    let task = Task { try await workflow.run(root) }
    await journal.wait(for: "begun")
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(scene.lines == ["begun"])
    gate.open()
    await scene.tree.shutdown()
    #expect(scene.lines == ["begun", "cancelled true"])
  }

  @Test("by the interactor that runs it in a task, when that resigns")
  func ofTask() async {
    let journal = scene.journal
    let root = scene.root.interactor
    scene.root.attachChild(scene.child)
    scene.child.interactor.task {
      let workflow = JournalWorkflow<Item>(journal)
      workflow.onStep { root in
        journal.write("begun")
        await Gate().pass()
        return (root, journal.write("step over"))
      }
      .commit()
      try await workflow.run(root)
    }
    await journal.wait(for: "begun")
    scene.root.detachChild(scene.child)
    await journal.wait(for: "workflow gone")
    #expect(scene.lines == ["begun", "step over", "workflow gone"])
    await scene.tree.shutdown()
  }

  @Test("leaves nothing behind, whatever was going on", arguments: [false, true])
  func nothingLeft(isSubscribed: Bool) async {
    let alive = Survivors()
    let host = await TreeHost { [alive] in
      let (root, child) = (Scripted.RootRouter(), Scripted.ChildRouter())
      alive.add(root)
      alive.add(root.interactor)
      alive.add(child)
      alive.add(child.interactor)
      root.attachChild(child)
      return root
    }
    try? await host.perform { [alive] root in
      let interactor = root.interactor
      guard let child = root.children.first?.interactable as? Item else { return }
      for index in 0..<4 {
        let workflow = Workflow<Item>()
        alive.add(workflow)
        let shared = workflow.onStep { _ in (child, ()) }
        shared.onStep { child, _ in
          if index == 1 { throw Failure() }
          if index == 2 { await Gate().pass() }
          return (child, ())
        }
        .commit()
        shared.onStep { _, _ in (Item(), ()) }.onStep { item, _ in (item, ()) }.commit()
        if isSubscribed {
          workflow.subscribe(interactor).disposeOnDeactivate(interactor: interactor)
        } else {
          interactor.task { try await workflow.run(interactor) }
        }
      }
    }
    for _ in 0..<100 { await Task.yield() }
    #expect(await host.shutdown(deadline: .seconds(10)).stuck.isEmpty)
    #expect(alive.count == 0)
  }
}

/// Counts those that are alive of some objects.
private final class Survivors: @unchecked Sendable {
  private struct Entry { weak var object: AnyObject? }
  private var entries: [Entry] = []

  var count: Int { entries.filter { $0.object != nil }.count }

  func add(_ object: AnyObject) { entries.append(Entry(object: object)) }
}
