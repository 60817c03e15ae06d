// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import RIBs
import RIBsTesting
import Testing

@Suite("The event of a detached RIB", .folded(oneIn: 16))
struct DetachedEventTests {
  private let test = TestTree(recording: [])

  /// The events of the detachment of an inactive child, and of what an observer does then.
  private func events(
    _ root: Scripted.RootRouter, _ child: Scripted.ChildRouter, onDetached react: @escaping () -> Void
  ) throws -> [TreeEvent.Kind] {
    child.expectsReattachment = true
    root.attachChild(child)
    // By hand, so that it is inactive under an active parent.
    child.interactor.deactivate()
    var kinds: [TreeEvent.Kind] = []
    let subscription = try #require(test.tree).events.subscribe(onNext: { event in
      kinds.append(event.kind)
      if event.kind == .detached { react() }
    })
    root.detachChild(child)
    subscription.dispose()
    return kinds
  }

  @Test("of an inactive one comes once, also if an observer detaches the RIB again")
  func again() throws {
    let (root, child) = (test.launch(Scripted.RootRouter()), Scripted.ChildRouter())
    let kinds = try events(root, child) { root.detachChild(child) }
    #expect(kinds.count { $0 == .detached } == 1)
    #expect(test.takeMisuses().map(\.kind) == [.notAChild])
    test.skip()
    test.finish()
  }

  @Test("of an inactive one comes when it can be attached elsewhere")
  func elsewhere() throws {
    let (root, child, other) = (test.launch(Scripted.RootRouter()), Scripted.ChildRouter(), Scripted.LeafRouter())
    root.attachChild(other)
    let kinds = try events(root, child) { other.attachChild(child) }
    #expect(other.children.count == 1)
    #expect(child.interactor.isActive)
    #expect(kinds.filter { $0 != .loaded }.suffix(3) == [.detached, .attached, .activated])
    test.skip()
    test.finish()
  }

  @Test("carries no id of an earlier tree", arguments: [false, true])
  func earlierTree(isRoot: Bool) {
    let journal = Journal()
    let stage = DrivenStage(seed: 1)
    stage.assumeIsolated { stage in
      var configuration = TreeConfiguration(leakDetection: .off)
      configuration.executors = stage.executors
      let (root, child) = (Scripted.RootRouter(), Scripted.ChildRouter())
      root.attachChild(child)
      let first = Tree(root: root, configuration: configuration)
      #expect(first.launch(on: stage))
      first.end()
      configuration.onEvent = { journal.write("\($0.kind) \($0.node.map { "\($0)" } ?? "-")") }
      if isRoot {
        // The former root is attached to a router that resigns, and detached from it.
        let other = Scripted.RootRouter()
        let second = Tree(root: other, configuration: configuration)
        #expect(second.launch(on: stage))
        let parent = Scripted.ChildRouter()
        other.attachChild(parent)
        parent.interactor.onResign = { [weak parent] _ in
          parent?.attachChild(root)
          parent?.detachChild(root)
        }
        other.detachChild(parent)
        second.end()
        #expect(journal.lines.filter { $0.hasPrefix("detached") } == ["detached #2"])
      } else {
        let second = Tree(root: root, configuration: configuration)
        let subscription = second.events.subscribe(onNext: { event in
          if event.kind == .attached, event.node?.rawValue == 1 { root.detachChild(child) }
        })
        #expect(second.launch(on: stage))
        second.end()
        subscription.dispose()
        #expect(!journal.lines.contains { $0.hasPrefix("detached") })
      }
      while stage.runOne() {}
    }
  }
}
