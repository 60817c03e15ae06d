import RIBs
import Testing

@Suite("A workflow")
@MainActor
struct WorkflowTests {
  typealias Item = Scripted.Interactor

  @Test("takes its steps in order, each once, through the items, and hands on the values")
  func steps() async {
    let scene = Scene()
    let journal = scene.journal
    scene.root.attachChild(scene.child)
    scene.child.attachChild(scene.leaf)
    let (child, leaf) = (scene.child.interactor, scene.leaf.interactor)
    let subscription = JournalWorkflow<Item>(journal)
      .onStep { root in
        journal.write("one \(root.isActive)")
        return (child, 1)
      }
      .onStep { item, value in
        await Task.yield()
        journal.write("two \(item === child) \(value)")
        return (leaf, "\(value + 1)")
      }
      .onStep { item, value in
        journal.write("three \(item === leaf) \(value)")
        return (item, ())
      }
      .commit()
      .subscribe(scene.root.interactor)
    #expect(scene.lines.isEmpty)
    await journal.wait(for: "workflow gone")
    #expect(
      scene.lines == [
        "one true", "workflowStepEnded Root", "two true 1", "workflowStepEnded Root/Child", "three true 2",
        "workflowStepEnded Root/Child/Leaf", "didComplete", "workflow gone",
      ])
    subscription.dispose()
    await scene.tree.shutdown()
  }

  @Test("is written in one expression, without types, which compiles")
  func inference() async throws {
    let scene = Scene()
    let value = try await Workflow<any InteractorScope>()
      .onStep { item in (item, 1) }
      .onStep { item, value in (item, value + 1) }
      .onStep { item, value in (item, value * 2 + 1) }
      .onStep { item, value in (item, "\(value)") }
      .onStep { item, text in
        let count = text.count + 1
        return (item, count)
      }
      .onStep { item, count in await Observable.just((item, count + 1)).first() }
      .onStep { item, count in (item, count + 1) }
      .run(scene.root.interactor)
    #expect(value == 4)
    await scene.tree.shutdown()
  }

  @Test("takes the first value of a stream as that of a step")
  func streams() async throws {
    let scene = Scene()
    let source = PublishRelay<(Item, Int)>()
    let value = Task {
      try await Workflow<Item>()
        .onStep { root in await Observable.just((root, 1)).first() }
        .onStep { _, value in await source.map { ($0, value + $1) }.first() }
        .run(scene.root.interactor)
    }
    for _ in 0..<100 { await Task.yield() }
    source.accept((scene.root.interactor, 41))
    source.accept((scene.root.interactor, 99))
    #expect(try await value.value == 42)
    await scene.tree.shutdown()
  }

  @Test("returns the value of its last step")
  func result() async throws {
    let scene = Scene()
    let step = Workflow<Item>()
      .onStep { root in (root, 6) }
      .onStep { root, value in (root, value * 7) }
    #expect(try await step.run(scene.root.interactor) == 42)
    #expect(try await step.run(scene.root.interactor) == 42)
    await scene.tree.shutdown()
  }
}
