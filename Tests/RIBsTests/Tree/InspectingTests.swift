// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
@testable import RIBs
import Testing

/// Records the calls of an inspector, and keeps the handles it receives.
private final class Inspecting: TreeObserver {
  let journal = Journal()
  let trees: AsyncStream<TreeHandle>
  private let launched: AsyncStream<TreeHandle>.Continuation
  private let observes: Bool
  private let onLaunch: @Sendable () -> Void

  init(observes: Bool = false, onLaunch: @escaping @Sendable () -> Void = {}) {
    self.observes = observes
    self.onLaunch = onLaunch
    (trees, launched) = AsyncStream.makeStream()
  }

  func treeWillLaunch(_ tree: TreeHandle) -> TreeHandle.Observer? {
    journal.write("will launch \(tree.name)")
    launched.yield(tree)
    onLaunch()
    guard observes else { return nil }
    return { [journal] event in
      journal.write("\(event.kind) \(event.path)")
      return true
    }
  }

  func treeDidEnd(_ tree: TreeHandle) { journal.write("did end \(tree.name)") }
}

/// Leads handlers on the main actor to a tree.
@MainActor
private final class Keeper {
  var tree: Tree?
  weak var root: Scripted.RootRouter?
}

@Suite("Inspecting a tree") @MainActor
struct InspectingTests {
  @Test("is notified before anything happens in it, and after everything has")
  func transcript() async throws {
    let inspector = Inspecting(observes: true)
    let root = Scripted.RootRouter()
    root.interactor.onActive = { _ in inspector.journal.write("active") }
    root.interactor.onResign = { _ in inspector.journal.write("resigning") }
    let tree = Tree(root: root, configuration: TreeConfiguration(inspector: inspector))
    #expect(inspector.journal.lines == [])
    tree.launch()
    tree.end()
    inspector.journal.expect(
      "will launch Root", "attached Root", "activated Root", "active", "loaded Root", "resigning", "resigned Root",
      "ended Root", "did end Root")
  }

  @Test("creates no events without an observer, and none after the observer has unsubscribed")
  func observing() async throws {
    let inspector = Inspecting()
    let root = Scripted.RootRouter()
    let tree = Tree.launched(root, TreeConfiguration(inspector: inspector))
    let live = try #require(await first(of: inspector.trees))
    #expect(tree.core?.isObserved == false)
    let journal = Journal()
    let isTold = await live.observe { event in
      journal.write("\(event.kind)")
      return event.kind != .loaded
    }
    #expect(isTold)
    #expect(tree.core?.isObserved == true)
    root.attachChild(Scripted.ChildRouter())
    #expect(journal.lines == ["attached", "activated", "loaded"])
    #expect(tree.core?.isObserved == false)
    tree.end()
    #expect(await live.observe { _ in true } == false)
    #expect(journal.lines.count == 3)
  }

  @Test("passes each event to the observers, the handler and the subscribers, in this order, and nested ones in theirs")
  func order() async throws {
    let inspector = Inspecting()
    let journal = Journal()
    let root = Scripted.RootRouter()
    let keeper = Keeper()
    keeper.root = root
    let kinds: Set<TreeEvent.Kind> = [.attached, .detached]
    let configuration = TreeConfiguration(
      inspector: inspector,
      onEvent: { event in
        guard kinds.contains(event.kind), event.rib.description == "Child" else { return }
        journal.write("handler: \(event.kind)")
        guard event.kind == .attached else { return }
        MainActor.assumeIsolated { if let root = keeper.root { root.children.first.map(root.detachChild) } }
      })
    let tree = Tree.launched(root, configuration)
    let live = try #require(await first(of: inspector.trees))
    for name in ["first", "second"] {
      _ = await live.observe { event in
        if kinds.contains(event.kind) { journal.write("\(name): \(event.kind)") }
        return name == "second" || event.kind != .attached
      }
    }
    let subscriptions = [1, 2].map { number in
      tree.events.filter { kinds.contains($0.kind) }.subscribe { journal.write("subscriber \(number): \($0.kind)") }
    }
    root.attachChild(Scripted.ChildRouter())
    journal.expect(
      "first: attached", "second: attached", "handler: attached", "second: detached", "handler: detached",
      "subscriber 1: attached", "subscriber 2: attached", "subscriber 1: detached", "subscriber 2: detached")
    #expect(tree.core?.isObserved == true)
    for subscription in subscriptions { subscription.dispose() }
    tree.end()
  }

  @Test("may end the tree before it is launched, which then ends without having been active", arguments: [false, true])
  func endBeforeLaunch(isObserved: Bool) {
    let keeper = Keeper()
    let inspector = Inspecting { MainActor.assumeIsolated { keeper.tree?.end() } }
    let journal = inspector.journal
    let root = Scripted.RootRouter()
    let tree = Tree(root: root, configuration: TreeConfiguration(leakDetection: .off, inspector: inspector))
    keeper.tree = tree
    var subscription: (any Disposable)?
    if isObserved {
      subscription = tree.events.subscribe(
        onNext: { journal.write("\($0.kind)") }, onCompleted: { journal.write("completed") })
    }
    tree.launch()
    #expect(!root.interactor.isActive)
    #expect(!tree.isActive)
    let events = isObserved ? ["ended", "did end Root", "completed"] : ["did end Root"]
    #expect(journal.lines == ["will launch Root"] + events)
    #expect(Tree(root: root).launch())
    keeper.tree = nil
    subscription?.dispose()
  }

  @Test("keeps alive neither a tree that is dropped nor its host, nor an actor that owns one")
  func keepsNothing() async throws {
    let inspector = Inspecting()
    let configuration = TreeConfiguration(inspector: inspector)
    var handles = inspector.trees.makeAsyncIterator()

    do {
      let root = Scripted.RootRouter()
      root.interactor.onDeinit = { inspector.journal.write("released") }
      withExtendedLifetime(Tree.launched(root, configuration)) {}
    }
    inspector.journal.expect("will launch Root", "did end Root", "released")
    let first = try #require(await handles.next())

    var host: TreeHost? = await TreeHost(configuration: configuration) { Scripted.RootRouter() }
    let second = try #require(await handles.next())
    #expect(await second.snapshot()?.nodes.count == 1)
    host = nil
    await inspector.journal.wait(for: "did end Root", count: 2)

    weak var gone: QueueActor?
    do {
      let actor = QueueActor()
      gone = actor
      await actor.launch(configuration) { Scripted.RootRouter() }
      let third = try #require(await handles.next())
      #expect(await third.snapshot()?.nodes.count == 1)
      #expect(await third.observe { _ in true })
      withExtendedLifetime(actor) {}
    }
    while gone != nil { await Task.yield() }
    for live in [first, second] { #expect(await live.snapshot() == nil) }
    #expect(host == nil)
  }

  @Test("sees each of many trees while they run in parallel, and takes snapshots from anywhere until they have ended")
  func many() async throws {
    let inspector = Inspecting(observes: true)
    let hosts = await withTaskGroup(of: TreeHost<Scripted.RootRouter>.self) { group in
      for _ in 0..<50 {
        group.addTask {
          await TreeHost(configuration: TreeConfiguration(inspector: inspector)) { Scripted.RootRouter() }
        }
      }
      var hosts: [TreeHost<Scripted.RootRouter>] = []
      for await host in group { hosts.append(host) }
      return hosts
    }
    var handles = inspector.trees.makeAsyncIterator()
    var live: [TreeHandle] = []
    while live.count < hosts.count, let next = await handles.next() { live.append(next) }
    await withTaskGroup(of: Void.self) { group in
      for tree in live { group.addTask { #expect(await tree.snapshot() != nil) } }
      for host in hosts { group.addTask { try? await host.perform { $0.attachChild(Scripted.ChildRouter()) } } }
    }
    for tree in live { #expect(await tree.snapshot()?.nodes.map(\.name) == ["Root", "Child"]) }
    for host in hosts { await host.shutdown() }
    for tree in live { #expect(await tree.snapshot() == nil && tree.name == "Root") }
    #expect(inspector.journal.lines.filter { $0 == "did end Root" }.count == 50)
    #expect(inspector.journal.lines.filter { $0 == "ended Root" }.count == 50)
  }
}
