// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import RIBs
import RIBsTesting
import Testing

private enum Context {
  /// Set by the code that requests work.
  @TaskLocal static var request = "none"
  /// Set by `aroundWork`.
  @TaskLocal static var work: BoundWork.ID?
  /// Set by the code that requests work, to see that nothing keeps it.
  @TaskLocal static var object: Held?
}

/// A RIB that starts work in all ways. Each piece writes what holds in it.
private final class AroundRouter: Scripted.Router {
  private let journal: Journal

  init(_ journal: Journal, startsAtOnce: Bool = true) {
    self.journal = journal
    super.init()
    guard startsAtOnce else { return }
    interactor.onActive = { [unowned self] _ in startAll() }
    onLoad = { router in router.interactor.task { write("task in didLoad", to: journal) } }
    let worker = ScriptedWorker()
    worker.onStart = { worker in
      worker.task { write("task of a worker", to: journal) }
      worker.run({ write("run of a worker", to: journal) }) {}
    }
    worker.start(interactor)
  }

  func startAll() {
    let (interactor, journal) = (interactor, journal)
    interactor.task { write("task", to: journal) }
    interactor.task { [interactor] in
      await Task.yield()
      write("task with a capture list, active: \(interactor.isActive)", to: journal)
    }
    interactor.task("named", overlap: .cancelPrevious) { write("named task", to: journal) }
    interactor.run({ write("run", to: journal) }) {}
    attach(preparing: { await prepare(journal) })
    attachChildren(for: [1]) { _ in
      write("slices", to: journal)
      return Scripted.ChildRouter()
    }
    let workflow = Workflow<Scripted.Interactor>()
    workflow
      .onStep { item in
        write("workflow", to: journal)
        return (item, ())
      }
      .commit()
    _ = workflow.subscribe(interactor)
  }

  static let kinds = [
    "task", "task with a capture list, active: true", "named task", "run", "preparing", "slices", "workflow",
  ]
  /// What it starts at once besides.
  static let otherKinds = ["task of a worker", "run of a worker", "task in didLoad"]
}

private func write(_ kind: String, to journal: Journal) {
  journal.write("\(kind): request \(Context.request), \(Context.work == nil ? "nothing" : "set") around it")
  journal.write("over")
}

@concurrent
private func prepare(_ journal: Journal) async -> sending Scripted.LeafRouter {
  write("preparing", to: journal)
  return Scripted.LeafRouter()
}

@Suite("The code around bound work")
struct AroundWorkTests {
  private let journal = Journal()

  private var configuration: TreeConfiguration {
    TreeConfiguration(
      leakDetection: .off, aroundWork: { event, start in Context.$work.withValue(event.workID) { start() } },
      onMisuse: { [journal] misuse in journal.write("\(misuse.kind): \(misuse.message)") })
  }

  private func expected(_ kinds: [String], request: String, isSet: Bool = true) -> [String] {
    kinds.map { "\($0): request \(request), \(isSet ? "set" : "nothing") around it" }.sorted()
  }

  /// What all work writes when it is started at once. A workflow is requested work, and what lives as long as the RIB or
  /// a worker never is.
  private func expectedAtOnce(request: String, isSet: Bool = true) -> [String] {
    let kinds = AroundRouter.kinds.filter { $0 != "workflow" } + AroundRouter.otherKinds
    return
      (expected(kinds, request: request, isSet: isSet)
      + expected(["workflow"], request: "first", isSet: isSet)).sorted()
  }

  /// Waits until all work that is started at once has written its line.
  private func waitForAll() async {
    await journal.wait(for: "over", count: AroundRouter.kinds.count + AroundRouter.otherKinds.count)
  }

  private var written: [String] { journal.lines.filter { $0 != "over" }.sorted() }

  /// What a tree calls around its work.
  enum Around: CaseIterable {
    case nothing, work, workWithTurnLimit
  }

  @Test(
    "sets what holds in all work of a RIB, and nothing else of the code that attached it unless that is asked for",
    arguments: [false, true], Around.allCases)
  func scopes(isInherited: Bool, around: Around) async throws {
    var configuration = configuration
    if around == .nothing { configuration.aroundWork = nil }
    if around == .workWithTurnLimit { configuration.turnLimit = .seconds(3600) }
    configuration.workContext = isInherited ? .inherited : .own()
    let host = await TreeHost(configuration: configuration) { Scripted.RootRouter() }
    try await Context.$request.withValue("first") {
      try await host.perform { [journal] root in root.attachChild(AroundRouter(journal)) }
    }
    await waitForAll()
    await host.shutdown()
    #expect(written == expectedAtOnce(request: isInherited ? "first" : "none", isSet: around != .nothing))
  }

  @Test("sets what holds in work that a request asks for, beside what the request has set")
  func requests() async throws {
    let journal = journal
    let host = await TreeHost(configuration: configuration) { AroundRouter(journal, startsAtOnce: false) }
    try await Context.$request.withValue("first") {
      try await host.perform { router in router.startAll() }
      try await host.perform { _ in
        await Task.yield()
        write("call", to: journal)
      }
    }
    let kinds = AroundRouter.kinds + ["call"]
    await journal.wait(for: "over", count: kinds.count)
    await host.shutdown()
    #expect(written == expected(kinds, request: "first"))
  }

  @Test("holds on an actor with an executor of its own")
  func ownExecutor() async {
    let home = QueueActor()
    await Context.$request.withValue("first") {
      _ = await home.launch(configuration) { [journal] in AroundRouter(journal) }
    }
    await waitForAll()
    await home.shutdown()
    #expect(written == expectedAtOnce(request: "none"))
  }

  @Test("holds on the main actor, with a request's context and without")
  @MainActor
  func mainActor() async {
    let tree = Tree(root: AroundRouter(journal), configuration: configuration)
    Context.$request.withValue("first") { _ = tree.launch() }
    await waitForAll()
    await tree.shutdown()
    #expect(written == expectedAtOnce(request: "none"))
  }

  @Test("gets the event of the start, after the observers of events")
  func event() async throws {
    var configuration = configuration
    configuration.name = "order-1"
    configuration.onEvent = { [journal] event in
      guard event.kind == .taskStarted else { return }
      journal.write("event \(event) \(event.workID!) \(event.node!) \(event.rib)")
    }
    configuration.aroundWork = { [journal] event, start in
      journal.write("around \(event) \(event.workID!) \(event.node!) \(event.rib)")
      start()
    }
    let host = await TreeHost(configuration: configuration) { Scripted.RootRouter() }
    try await host.perform { root in
      await Task.yield()
      root.interactor.task("load", overlap: .concurrent) {}
    }
    await host.shutdown()
    let lines = journal.lines
    #expect(lines.count == 4)
    #expect(lines.contains { $0.contains("order-1:Root taskStarted load") && $0.hasSuffix("#1 Root") })
    #expect(lines[1] == lines[0].replacing("event", with: "around"))
    #expect(lines[3] == lines[2].replacing("event", with: "around"))
  }

  @Test("adds no events to those that are observed")
  func kinds() async throws {
    var configuration = configuration
    configuration.eventKinds = [.taskEnded]
    configuration.onEvent = { [journal] event in journal.write("\(event.kind) \(event.duration != nil)") }
    let host = await TreeHost(configuration: configuration) { Scripted.RootRouter() }
    try await host.perform { [journal] root in root.interactor.task { write("task", to: journal) } }
    await journal.wait(for: "taskEnded true")
    await host.shutdown()
    #expect(written == ["task: request none, set around it", "taskEnded true"])
  }

  @Test(
    "runs when queued work starts, in the context of the code that asked for it, which the work has without it too",
    arguments: [false, true], [true, false])
  func queued(isAway: Bool, hasAround: Bool) async throws {
    let gate = Gate()
    var configuration = configuration
    configuration.aroundWork = { [journal] event, start in
      journal.write("around \(Context.request)")
      Context.$work.withValue(event.workID) { start() }
    }
    if !hasAround { configuration.aroundWork = nil }
    let host = await TreeHost(configuration: configuration) { Scripted.RootRouter() }
    let ids = ["1", "2", "3"]
    for id in ids {
      try await Context.$request.withValue(id) {
        try await host.perform { [journal] root in
          let work: @Sendable () async -> Void = {
            await gate.pass()
            write(id, to: journal)
          }
          if isAway {
            _ = root.interactor.run("send", overlap: .enqueue, work) {}
          } else {
            _ = root.interactor.task("send", overlap: .enqueue, work)
          }
        }
      }
    }
    gate.open()
    await journal.wait(for: "over", count: 3)
    await host.shutdown()
    var wanted: [String] = []
    for id in ids {
      if hasAround { wanted.append("around \(id)") }
      wanted += expected([id], request: id, isSet: hasAround)
    }
    #expect(journal.lines.filter { $0 != "over" } == wanted)
  }

  @Test(
    "keeps nothing of the code that asked for queued work once that is discarded", .timeLimit(.minutes(15)),
    arguments: [false, true])
  func discarded(byScope: Bool) async throws {
    let host = await TreeHost(configuration: configuration) { Scripted.RootRouter() }
    let gate = Gate()
    do {
      let tracked = Held(journal)
      try await Context.$object.withValue(tracked) {
        try await host.perform { [journal] root in
          let child = Scripted.ChildRouter()
          root.attachment = child
          root.attachChild(child)
          child.interactor.task("send", overlap: .enqueue) { await gate.passStubbornly() }
          let handle = child.interactor.task("send", overlap: .enqueue) { journal.write("never") }
          if byScope { root.detachChild(child) } else { handle.cancel() }
          if byScope { root.attachment = nil }
        }
      }
    }
    gate.open()
    await host.shutdown()
    // Its Swift task may be released a moment after its last step.
    await journal.wait(for: "released")
    #expect(journal.lines == ["released"])
  }

  @Test("must start the work exactly once; the work starts once whatever it does", arguments: [0, 2, 3])
  func misuse(calls: Int) async throws {
    var configuration = configuration
    configuration.aroundWork = { event, start in
      Context.$work.withValue(event.workID) { for _ in 0..<calls { start() } }
    }
    let host = await TreeHost(configuration: configuration) { [journal] in
      let root = Scripted.RootRouter()
      root.interactor.onActive = { interactor in
        interactor.task("first", overlap: .enqueue) { write("task", to: journal) }
        interactor.run("first", overlap: .enqueue, { write("run", to: journal) }) {}
      }
      return root
    }
    await journal.wait(for: "over", count: 2)
    await host.shutdown()
    let around = calls == 0 ? "nothing" : "set"
    #expect(
      written.filter { !$0.hasPrefix("startNot") }
        == ["run", "task"].map { "\($0): request none, \(around) around it" })
    let misuses = written.filter { $0.hasPrefix("startNotCalledOnce") }
    #expect(misuses.count == 2)
    #expect(misuses.allSatisfy { $0.contains("first (AroundWorkTests.swift:") })
    #expect(misuses.allSatisfy { $0.hasSuffix(calls == 0 ? "called start never." : "called start \(calls) times.") })
  }

  @Test("may end the scope, before or after it starts the work", arguments: [true, false], [true, false])
  @MainActor
  func ending(before: Bool, isAway: Bool) async {
    let trees = TreeHolder()
    var configuration = configuration
    configuration.onEvent = { [journal] event in
      if [.taskStarted, .taskEnded, .taskFailed].contains(event.kind) { journal.write("\(event.kind)") }
    }
    configuration.aroundWork = { _, start in
      if !before { start() }
      MainActor.assumeIsolated { trees.tree?.end() }
      if before { start() }
    }
    let root = Scripted.RootRouter()
    let tree = Tree(root: root, configuration: configuration)
    trees.tree = tree
    tree.launch()
    if isAway {
      root.interactor.run({ try Task.checkCancellation() }) { [journal] in journal.write("handled") }
    } else {
      root.interactor.task { [journal] in journal.write("begun") }
    }
    await tree.shutdown()
    trees.tree = nil
    #expect(journal.lines == ["taskStarted", "taskEnded"])
  }

  @Test("runs while the code that asks for the work is changing a property")
  func access() async throws {
    let host = await TreeHost(configuration: configuration) { [journal] in
      let root = Scripted.RootRouter()
      let list = ChangingList()
      root.attachment = list
      root.interactor.onActive = { interactor in
        list.change { values in
          interactor.task { write("task", to: journal) }
          values.append(1)
        }
        list.change { values in values.append(2) }
      }
      return root
    }
    await journal.wait(for: "over")
    let values = try await host.perform { root in (root.attachment as? ChangingList)?.values }
    await host.shutdown()
    #expect(values == [1, 2])
    #expect(written == expected(["task"], request: "none"))
  }

  @Test("lets no step of a workflow from another tree begin after the workflow was disposed of")
  @MainActor
  func steps() async {
    let (homeInteractor, otherInteractor) = (Interactor(), Interactor())
    let home = Tree.launched(Router(interactor: homeInteractor), TreeConfiguration(leakDetection: .off))
    let other = Tree.launched(
      Router(interactor: otherInteractor),
      TreeConfiguration(leakDetection: .off, aroundWork: { _, start in start() }))
    let chains = Chains()
    let workflow = Workflow<Interactor>()
    let shared = workflow.onStep { _ in (otherInteractor, ()) }
    // The first chain continues the work of the shared step; `aroundWork` starts the others.
    shared.onStep { item, _ in (item, ()) }.commit()
    for _ in 0..<5 {
      // A closure with a capture list leaves the actor before its code (Swift 6.3).
      shared.onStep { item, _ in (item, ()) }.onStep { [chains] item, _ in (item, chains.begin()) }.commit()
    }
    chains.subscription = workflow.subscribe(homeInteractor)
    while chains.begun == 0 { await Task.yield() }
    await other.shutdown()
    await home.shutdown()
    #expect(chains.begun == 1)
  }

  @Test("gives each of many pieces of work its own values")
  func many() async throws {
    let host = await TreeHost(configuration: configuration) { [journal] in
      let root = Scripted.RootRouter()
      root.interactor.onActive = { interactor in
        for number in 1...100 {
          interactor.task {
            journal.write("\(number) \(Context.work?.rawValue ?? 0)")
            journal.write("over")
          }
        }
      }
      return root
    }
    await journal.wait(for: "over", count: 100)
    await host.shutdown()
    #expect(Set(written) == Set((1...100).map { "\($0) \($0)" }))
  }
}

/// What a request sets, and nothing must keep.
private final class Held: Sendable {
  private let journal: Journal

  init(_ journal: Journal) { self.journal = journal }

  deinit { journal.write("released") }
}

/// What the chains of a workflow share. The first one whose last step begins disposes of the workflow.
private final class Chains {
  var subscription: (any Disposable)?
  private(set) var begun = 0

  func begin() {
    begun += 1
    subscription?.dispose()
  }
}

@MainActor
private final class TreeHolder { var tree: Tree? }

private final class ChangingList {
  var values: [Int] = []

  func change(_ body: (inout [Int]) -> Void) { body(&values) }
}
