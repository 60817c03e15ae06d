// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import RIBs
import RIBsTesting
import Testing

@Suite("A workflow", .folded)
struct WorkflowTests {
  typealias Item = Scripted.Interactor

  private let scene = Scene()
  private var test: TestTree { scene.test }

  @Test("runs its steps in order, each once, and passes on the items and values")
  func steps() {
    let write = scene.write
    scene.root.attachChild(scene.child)
    scene.child.attachChild(scene.leaf)
    let (child, leaf) = (scene.child.interactor, scene.leaf.interactor)
    test.start(
      RideWorkflow(write)
        .onStep { root in
          write("one \(root.isActive)")
          return (child, 1)
        }
        .onStep { item, value in
          await Task.yield()
          write("two \(item === child) \(value)")
          return (leaf, "\(value + 1)")
        }
        .onStep { item, value in
          write("three \(item === leaf) \(value)")
          return (item, ())
        }
        .commit(), with: scene.root.interactor)
    test.expect()
    test.settle()
    test.expect(
      """
      one true
      Root RideWorkflow step ended
      two true 1
      Root/Child RideWorkflow step ended
      three true 2
      Root/Child/Leaf RideWorkflow step ended
      didComplete
      workflow gone
      """)
    test.finish()
  }

  @Test("runs steps that do not suspend in one turn", arguments: [false, true])
  func oneTurn(hasCaptureList: Bool) {
    let write = scene.write
    let first = RideWorkflow(write).onStep { root in
      root.task { write("other work") }
      return (root, write("one"))
    }
    let second =
      hasCaptureList
      ? first.onStep { [write] root, _ in (root, write("two")) } : first.onStep { root, _ in (root, write("two")) }
    let third =
      hasCaptureList
      ? second.onStep { [write] root, _ in (root, write("three")) }
      : second.onStep { root, _ in (root, write("three")) }
    scene.start(third.commit())
    test.expect(
      """
      one
      Root RideWorkflow step ended
      two
      Root RideWorkflow step ended
      three
      Root RideWorkflow step ended
      didComplete
      other work
      """)
    test.finish()
  }

  @Test("is written in one expression, without types, which compiles")
  func inference() {
    let end = test.start(
      Workflow<any InteractorScope>()
        .onStep { item in (item, 1) }
        .onStep { item, value in (item, value + 1) }
        .onStep { item, value in (item, value * 2 + 1) }
        .onStep { item, value in (item, "\(value)") }
        .onStep { item, text in
          let count = text.count + 1
          return (item, count)
        }
        .onStep { item, count in await Observable.just((item, count + 1)).first() }
        .onStep { item, count in (item, count + 1) },
      with: scene.root.interactor)
    test.settle()
    #expect(end.value == 4)
    test.skip()
    test.finish()
  }

  @Test("uses the first value of a stream as the value of a step")
  func streams() {
    let source = PublishRelay<(Item, Int)>()
    let end = test.start(
      Workflow<Item>()
        .onStep { root in await Observable.just((root, 1)).first() }
        .onStep { _, value in await source.map { ($0, value + $1) }.first() },
      with: scene.root.interactor)
    test.settle()
    #expect(end.value == nil)
    source.accept((scene.root.interactor, 41))
    source.accept((scene.root.interactor, 99))
    test.settle()
    #expect(end.value == 42)
    test.skip()
    test.finish()
  }

  @Test("returns the value of its last step, even if no work of the tree runs it")
  @MainActor
  static func result() async throws {
    let root = Scripted.RootRouter()
    let tree = Tree.launched(root)
    let step = Workflow<Item>()
      .onStep { root in (root, 6) }
      .onStep { root, value in (root, value * 7) }
    #expect(try await step.run(root.interactor) == 42)
    #expect(try await step.run(root.interactor) == 42)
    await tree.shutdown()
  }
}

@Suite("A workflow that moves to another tree")
@MainActor
struct MovingWorkflowTests {
  @Test("stands behind the work that is started in its new tree while it leaves the old one")
  func moves() async {
    let (journal, checker, gate) = (Journal(), FoldChecker(), Gate())
    let (first, second) = (Scripted.RootRouter(), Scripted.RootRouter())
    let (item, line) = (second.interactor, #line)
    let old = Tree.launched(first, TreeConfiguration(leakDetection: .off))
    let new = Tree.launched(second, TreeConfiguration(leakDetection: .off, inspector: checker))
    let observation = old.events.subscribe(onNext: { event in
      if event.kind == .taskEnded { item.task("started", overlap: .concurrent) { await gate.pass() } }
    })
    let run = RideWorkflow(journal.write)
      .onStep { _ in (item, ()) }
      .onStep { item, _ in
        journal.write("moved")
        await gate.pass()
        return (item, ())
      }
      .commit().subscribe(first.interactor)
    await journal.wait(for: "moved")
    #expect(
      new.snapshot().nodes.first?.tasks == [
        "started (WorkflowTests.swift:\(line + 4))", "RideWorkflow (WorkflowTests.swift:\(line + 13))",
      ])
    #expect(checker.problem == nil)
    gate.open()
    await new.shutdown()
    await old.shutdown()
    observation.dispose()
    run.dispose()
  }
}
