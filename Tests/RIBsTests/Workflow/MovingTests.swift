import RIBs
import TestSupport
import Testing

@Suite("A workflow that moves to another tree")
struct MovingTests {
  private let journal = Journal()

  @Test("is listed there after the work that an observer of its end in the first tree has started")
  @MainActor
  func order() async throws {
    let checker = FoldChecker()
    let configuration = TreeConfiguration(leakDetection: .off, inspector: checker)
    let (first, second) = (Scripted.RootRouter(), Scripted.ChildRouter())
    let source = Tree(root: first, configuration: configuration)
    let target = Tree(root: second, configuration: configuration)
    source.launch()
    target.launch()
    let gate = Gate()
    _ = source.events.subscribe(
      onNext: { event in
        guard event.kind == .taskEnded else { return }
        second.interactor.task("observer", overlap: .ignoreWhileRunning) { await gate.pass() }
      }, onCompleted: {})
    let workflow = Workflow<Scripted.Interactor>()
    workflow.onStep { _ in (second.interactor, ()) }
      .onStep { item, _ in
        self.journal.write("moved")
        await gate.pass()
        return (item, ())
      }
      .commit()
    _ = workflow.subscribe(first.interactor)
    await journal.wait(for: "moved")
    let tasks = try #require(target.snapshot().nodes.first?.tasks)
    #expect(tasks.count == 2)
    #expect(tasks.first?.hasPrefix("observer") == true)
    gate.open()
    await target.shutdown()
    await source.shutdown()
    #expect(checker.problem == nil)
  }
}
