import RIBs
import Testing

@Suite("A forked workflow")
@MainActor
struct ForkTests {
  typealias Item = Scripted.Interactor

  private let scene = Scene()

  @Test("completes once, when the last of its forks has ended", arguments: [[0, 1], [1, 0]])
  func completes(order: [Int]) async {
    let journal = scene.journal
    let gates = [Gate(), Gate()]
    let workflow = JournalWorkflow<Item>(journal)
    let shared = workflow.onStep { root in (root, journal.write("shared")) }
    for (index, gate) in gates.enumerated() {
      shared.fork()
        .onStep { root, _ in
          journal.write("begun \(index)")
          await gate.pass()
          journal.write("done \(index)")
          return (root, ())
        }
        .commit()
    }
    let subscription = workflow.subscribe(scene.root.interactor)
    for index in order {
      for index in 0..<2 { await journal.wait(for: "begun \(index)") }
      #expect(!journal.lines.contains("didComplete"))
      gates[index].open()
      await journal.wait(for: "done \(index)")
    }
    await journal.wait(for: "didComplete")
    let steps = scene.lines.filter { !$0.hasPrefix("workflowStep") }
    #expect(
      steps == [
        "didFork", "didFork", "shared", "begun 0", "begun 1", "done \(order[0])", "done \(order[1])", "didComplete",
      ])
    subscription.dispose()
    await scene.tree.shutdown()
  }

  @Test("tells each error once, and completes unless all forks failed", arguments: [0, 1, 2], [false, true])
  func fails(failures: Int, hasHandler: Bool) async {
    let journal = scene.journal
    let workflow = JournalWorkflow<Item>(journal)
    let shared = workflow.onStep { root in (root, ()) }
    for index in 0..<2 {
      var fork = shared.onStep { root, _ in
        if index < failures { throw Failure() }
        return (root, ())
      }
      if hasHandler { fork = fork.onError { journal.write("onError \(index) \($0)") } }
      fork.commit()
    }
    let subscription = workflow.subscribe(scene.root.interactor)
    await journal.wait(for: failures == 2 ? "didReceiveError Failure" : "didComplete")
    for _ in 0..<10 { await Task.yield() }
    let told = scene.lines.filter { !$0.hasPrefix("workflowStep") }
    let failing = (0..<failures).flatMap { index in
      hasHandler
        ? ["onError \(index) Failure", "didReceiveError Failure"] : ["didReceiveError Failure", "Root didFail Failure"]
    }
    #expect(told == failing + (failures == 2 ? [] : ["didComplete"]))
    subscription.dispose()
    await scene.tree.shutdown()
  }

  @Test("tells an error of a shared step once, and every handler after it")
  func failsBeforeFork() async {
    let journal = scene.journal
    let workflow = JournalWorkflow<Item>(journal)
    let shared = workflow.onStep { _ -> (Item, Void)? in throw Failure() }
    shared.onError { _ in journal.write("first") }.onStep { root, _ in (root, ()) }.commit()
    shared.onStep { root, _ in (root, ()) }.onError { _ in journal.write("second") }.commit()
    let subscription = workflow.subscribe(scene.root.interactor)
    await journal.wait(for: "didReceiveError Failure")
    #expect(scene.lines == ["workflowStepFailed Root Failure", "first", "second", "didReceiveError Failure"])
    subscription.dispose()
    await scene.tree.shutdown()
  }

  /// When a fork is made.
  enum Moment: CaseIterable {
    case beforeStart, beforeFirstStep, duringSharedStep, duringNextStep, afterCompletion
  }

  @Test("runs a fork that is made late, also when the step it goes on from has been done", arguments: Moment.allCases)
  func late(_ moment: Moment) async {
    let journal = scene.journal
    let (sharedGate, nextGate) = (Gate(), Gate())
    let workflow = JournalWorkflow<Item>(journal)
    let shared = workflow.onStep { root in
      journal.write("shared")
      await sharedGate.pass()
      return (root, 42)
    }
    shared
      .onStep { root, _ in
        journal.write("next")
        await nextGate.pass()
        return (root, ())
      }
      .commit()
    func fork() { shared.fork().onStep { root, value in (root, journal.write("late \(value)")) }.commit() }
    if moment == .beforeStart { fork() }
    let subscription = workflow.subscribe(scene.root.interactor)
    if moment == .beforeFirstStep { fork() }
    await journal.wait(for: "shared")
    if moment == .duringSharedStep { fork() }
    sharedGate.open()
    await journal.wait(for: "next")
    if moment == .duringNextStep { fork() }
    if moment != .afterCompletion { await journal.wait(for: "late 42") }
    nextGate.open()
    await journal.wait(for: "didComplete")
    if moment == .afterCompletion { fork() }
    await journal.wait(for: "late 42")
    for _ in 0..<10 { await Task.yield() }
    #expect(journal.lines.filter { ["shared", "next", "late 42", "didFork", "didComplete"].contains($0) }.count == 5)
    subscription.dispose()
    await scene.tree.shutdown()
  }

  @Test("does not run a late fork for an item that has resigned, and says so")
  func lateForResigned() async {
    let journal = scene.journal
    scene.root.attachChild(scene.child)
    let workflow = JournalWorkflow<Item>(journal)
    let shared = workflow.onStep { child in (child, ()) }
    shared.onStep { child, _ in (child, ()) }.commit()
    let subscription = workflow.subscribe(scene.child.interactor)
    await journal.wait(for: "didComplete")
    scene.root.detachChild(scene.child)
    scene.root.attachChild(scene.child)
    shared.fork().onStep { child, _ in (child, journal.write("must not run")) }.commit()
    let error =
      "Child resigned while a step of a workflow worked on it. "
      + "A step that ends a RIB belongs to one that stays, such as the parent."
    await journal.wait(for: "didReceiveError \(error)")
    #expect(!journal.lines.contains("must not run"))
    subscription.dispose()
    await scene.tree.shutdown()
  }

  @Test("runs steps that several workflows share in each of them, and anew in each start")
  func reused() async throws {
    let journal = scene.journal
    let first = JournalWorkflow<Item>(journal)
    let second = JournalWorkflow<Item>(journal)
    first.throughTwice(journal).onStep { root, count in (root, journal.write("first \(count)")) }.commit()
    second.throughTwice(journal).onStep { root, count in (root, journal.write("second \(count)")) }.commit()
    for workflow in [first, second, first] { try await workflow.run(scene.root.interactor) }
    let one = ["through 0", "through 1", "first 2", "didComplete"]
    let other = ["through 0", "through 1", "second 2", "didComplete"]
    #expect(scene.lines.filter { !$0.hasPrefix("workflowStep") } == one + other + one)
    await scene.tree.shutdown()
  }
}

extension Workflow<Scripted.Interactor> {
  /// A chain of steps that several workflows begin with; the step is a function.
  fileprivate func throughTwice(_ journal: Journal) -> Step<Item, Item, Int> {
    let through = { (item: Item, count: Int) in
      journal.write("through \(count)")
      return (item, count + 1)
    }
    return onStep { root in (root, 0) }.onStep(through).onStep(through)
  }
}
