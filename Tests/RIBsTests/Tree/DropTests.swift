// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import RIBs
import Testing

/// Keeps a tree until a callback releases it.
private final class Keeper { var tree: Tree? }

@Suite("Dropping a tree") @MainActor
struct DropTests {
  private let journal = Journal()

  @Test(
    "ends it, and is allowed to every callback",
    arguments: ["none", "active", "load", "resign", "event", "subscription", "stream", "task"])
  func dropInside(_ callback: String) async {
    let keeper = Keeper()
    let (root, child, leaf) = (Scripted.RootRouter(), Scripted.ChildRouter(), Scripted.LeafRouter())
    let tree = Tree(root: root, configuration: journal.configuration)
    keeper.tree = tree
    var subscriptions: [any Disposable] = []
    if callback == "event" {
      subscriptions.append(
        tree.events.subscribe(onNext: { event in
          if event.path.description == "Root/Child", event.kind == .loaded { keeper.tree = nil }
        }))
    }
    _ = consume tree
    child.interactor.onActive = { interactor in
      if callback == "active" { keeper.tree = nil }
      guard callback == "subscription" else { return }
      BehaviorRelay(value: 1).subscribe(onNext: { _ in keeper.tree = nil }).disposeOnDeactivate(interactor: interactor)
    }
    child.onLoad = { _ in if callback == "load" { keeper.tree = nil } }
    child.interactor.onResign = { _ in if callback == "resign" { keeper.tree = nil } }
    subscriptions.append(
      child.interactor.isActiveStream.subscribe(onNext: { if $0, callback == "stream" { keeper.tree = nil } }))
    child.attachChild(leaf)
    root.attachChild(child)
    keeper.tree?.launch()
    if callback == "none" { keeper.tree = nil }
    if callback == "resign" { root.detachChild(child) }
    if callback == "task" {
      #expect(root.interactor.task { keeper.tree = nil }.start == .started)
      await journal.wait(for: "taskEnded Root")
    }
    #expect(keeper.tree == nil)
    #expect(!root.interactor.isActive && !child.interactor.isActive && !leaf.interactor.isActive)
    #expect(journal.lines.filter { $0 == "ended Root" }.count == 1)
    subscriptions = []
  }

  @Test("releases everything when it is dropped in its own launch")
  func release() {
    let keeper = Keeper()
    weak var interactor: Scripted.Interactor?
    do {
      let root = Scripted.RootRouter()
      interactor = root.interactor
      root.interactor.onActive = { _ in keeper.tree = nil }
      keeper.tree = Tree(root: root)
    }
    keeper.tree?.launch()
    #expect(interactor == nil)
  }

  @Test("may be left to an isolated deinit of the actor that owns it")
  func isolatedDeinit() async {
    do {
      let owner = Owner()
      await owner.launch(journal.configuration)
    }
    await journal.wait(for: "ended Root")
    #expect(journal.lines.contains("resigned Root/Child"))
    #expect(!journal.lines.contains { $0.hasPrefix("error") })
  }
}

@available(macOS 15.4, iOS 18.4, tvOS 18.4, watchOS 11.4, visionOS 2.4, *)
private actor Owner {
  private var tree: Tree?

  func launch(_ configuration: TreeConfiguration) {
    let root = Scripted.RootRouter()
    root.attachChild(Scripted.ChildRouter())
    tree = Tree.launched(root, configuration)
  }

  isolated deinit { tree?.end() }
}
