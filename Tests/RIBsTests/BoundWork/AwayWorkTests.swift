import RIBs
import Testing

@Suite("Work that leaves the tree")
struct AwayWorkTests {
  @Test("runs off the main actor, keeps its task-local values, and hands its result back on the main actor")
  @MainActor
  func mainActor() async {
    let root = Scripted.RootRouter()
    let tree = Tree(root: root)
    tree.launch()
    let (results, result) = AsyncStream<[Bool]>.makeStream()
    Mark.$value.withValue(42) {
      _ = root.interactor.run({ [MainQueue.isCurrent, Mark.value == 42] }) { [unowned root] seen in
        MainActor.preconditionIsolated()
        result.yield(seen + [MainQueue.isCurrent, root.interactor.isActive])
      }
    }
    #expect(await first(of: results) == [false, true, true, true])
    await tree.shutdown()
  }

  @Test("runs off any other actor, and hands its result back there")
  func queueActor() async {
    let home = QueueActor()
    let (results, result) = AsyncStream<[Bool]>.makeStream()
    await home.launch {
      let root = Scripted.RootRouter()
      root.interactor.onActive = { interactor in
        interactor.run({ home.isCurrent }) { wasHome in result.yield([wasHome, home.isCurrent]) }
      }
      return root
    }
    #expect(await first(of: results) == [false, true])
    await home.shutdown()
  }

  @Test(
    "delivers nothing to a scope that has ended, also when the interactor is active again", arguments: [false, true])
  @MainActor
  func dead(isActiveAgain: Bool) async {
    let journal = Journal()
    let gate = Gate()
    let (root, child) = (Scripted.RootRouter(), Scripted.ChildRouter())
    let tree = Tree(root: root, configuration: journal.configuration)
    tree.launch()
    root.attachChild(child)
    child.interactor.run({ await gate.passStubbornly() }) { journal.write("delivered") }
    root.detachChild(child)
    if isActiveAgain { root.attachChild(child) }
    gate.open()
    await journal.wait(for: "taskEnded Root/Child")
    // The handler would have been called in the same visit to the actor.
    await Task.yield()
    #expect(!journal.lines.contains("delivered"))
    await tree.shutdown()
  }

  @Test("is cancelled when the interactor resigns, and silently so", arguments: [false, true])
  @MainActor
  func cancelled(isAway: Bool) async {
    let journal = Journal()
    let (root, child) = (Scripted.RootRouter(), Scripted.ChildRouter())
    let tree = Tree(root: root, configuration: journal.configuration)
    tree.launch()
    child.interactor.onFail = { journal.write("didFail \($0)") }
    root.attachChild(child)
    if isAway {
      child.interactor.run({
        journal.write("begun")
        await Gate().pass()
        try Task.checkCancellation()
      }) { journal.write("delivered") }
    } else {
      child.interactor.task {
        journal.write("begun")
        await Gate().pass()
        try Task.checkCancellation()
        journal.write("delivered")
      }
    }
    await journal.wait(for: "begun")
    root.detachChild(child)
    await tree.shutdown()
    #expect(journal.lines.filter { !$0.hasPrefix("activated") } == Self.cancelledTranscript)
  }

  private static let cancelledTranscript = [
    "attached Root", "loaded Root", "attached Root/Child", "loaded Root/Child", "taskStarted Root/Child", "begun",
    "resigned Root/Child", "detached Root/Child", "resigned Root", "ended Root", "taskEnded Root/Child",
  ]

  @Test("tells its error to the interactor and to the tree's observers", arguments: [false, true])
  @MainActor
  func failing(isAway: Bool) async {
    let journal = Journal()
    let root = Scripted.RootRouter()
    let tree = Tree(root: root, configuration: journal.configuration)
    tree.launch()
    root.interactor.onFail = {
      MainActor.preconditionIsolated()
      journal.write("didFail \($0)")
    }
    if isAway {
      root.interactor.run({ throw Failure() }, then: { journal.write("delivered") })
    } else {
      root.interactor.task { throw Failure() }
    }
    await journal.wait(for: "didFail Failure")
    #expect(journal.lines.suffix(3) == ["taskStarted Root", "taskFailed Root Failure", "didFail Failure"])
    await tree.shutdown()
  }

  @Test("tells an error that comes too late to the tree's observers alone", arguments: [false, true])
  @MainActor
  func failingLate(isAway: Bool) async {
    let journal = Journal()
    let (root, child, gate) = (Scripted.RootRouter(), Scripted.ChildRouter(), Gate())
    let tree = Tree(root: root, configuration: journal.configuration)
    tree.launch()
    child.interactor.onFail = { journal.write("didFail \($0)") }
    root.attachChild(child)
    if isAway {
      child.interactor.run({
        await gate.passStubbornly()
        throw Failure()
      }) { journal.write("delivered") }
    } else {
      child.interactor.task {
        await gate.passStubbornly()
        throw Failure()
      }
    }
    root.detachChild(child)
    gate.open()
    await tree.shutdown()
    #expect(journal.lines.contains("taskFailed Root/Child Failure"))
    #expect(!journal.lines.contains { $0.hasPrefix("didFail") || $0 == "delivered" })
  }

  @Test("tells an error that comes after the tree's end to those who observe its events")
  @MainActor
  func failingAfterTheEnd() async {
    let journal = Journal()
    let (root, gate) = (Scripted.RootRouter(), Gate())
    let tree = Tree(root: root)
    let subscription = tree.events.subscribe(
      onNext: { journal.write("\($0.kind)") }, onCompleted: { journal.write("completed") })
    tree.launch()
    root.interactor.task {
      await gate.passStubbornly()
      throw Failure()
    }
    tree.end()
    gate.open()
    await tree.shutdown()
    #expect(journal.lines.suffix(4) == ["resigned", "ended", "taskFailed", "completed"])
    subscription.dispose()
  }

  @Test(
    "tells its error to nobody in the tree when an observer of the failure ends the scope", arguments: [false, true])
  @MainActor
  func endedByItsFailure(isAway: Bool) async {
    let journal = Journal()
    let (root, child) = (Scripted.RootRouter(), Scripted.ChildRouter())
    let tree = Tree(root: root)
    let subscription = tree.events.subscribe(onNext: { event in
      guard event.kind == .taskFailed else { return }
      root.detachChild(child)
      journal.write("detached")
    })
    tree.launch()
    root.attachChild(child)
    child.interactor.onFail = { _ in journal.write("didFail") }
    if isAway {
      child.interactor.run({ throw Failure() }, then: {})
    } else {
      child.interactor.task { throw Failure() }
    }
    await journal.wait(for: "detached")
    await Task.yield()
    #expect(journal.lines == ["detached"])
    subscription.dispose()
    await tree.shutdown()
  }

  @Test("ends at once when an observer of its start ends the scope", arguments: [false, true])
  @MainActor
  func endedByItsStart(isAway: Bool) async {
    let root = Scripted.RootRouter()
    let tree = Tree(root: root)
    let subscription = tree.events.subscribe(onNext: { [unowned tree] event in
      if event.kind == .taskStarted { tree.end() }
    })
    tree.launch()
    if isAway {
      root.interactor.run({ await Gate().pass() }) { Issue.record("delivered to a dead scope") }
    } else {
      root.interactor.task { await Gate().pass() }
    }
    #expect(await tree.shutdown().stuck.isEmpty)
    subscription.dispose()
  }
}

extension Journal {
  /// Writes the events of a tree: kind, path and failure. On a busy machine what was cancelled may take long to end.
  var configuration: TreeConfiguration {
    TreeConfiguration(
      leakDetection: .off,
      onEvent: { event in
        let failure = event.failure.map { " \($0)" } ?? ""
        self.write("\(event.kind) \(event.path)" + failure)
      },
      onMisuse: { misuse in self.write("\(misuse.severity) \(misuse.kind) \(misuse.path)") })
  }
}
