import RIBs
import Testing

@Suite("A worker in a tree") @MainActor
struct WorkerInTreeTests {
  private let log = Log()
  private let root = Scripted.RootRouter()
  private let child = Scripted.ChildRouter()

  private func launch(_ configuration: TreeConfiguration = TreeConfiguration()) -> Tree {
    let tree = Tree(root: root, configuration: configuration)
    tree.launch()
    return tree
  }

  @Test("is seen in events and in the snapshot while it runs")
  func seen() {
    let clock = ManualClock()
    let tree = Tree(root: root, configuration: TreeConfiguration(clock: clock))
    var lines: [String] = []
    let subscription = tree.events.subscribe(onNext: { event in
      guard let worker = event.worker else { return }
      lines.append("\(event.path) \(event.kind) \(worker) \(event.time) \(event.duration.map { "\($0)" } ?? "-")")
    })
    tree.launch()
    let worker = ScriptedWorker("meter", log)
    worker.onStart = { PublishRelay<Int>().subscribe(onNext: { _ in }).disposeOnStop($0) }
    worker.start(root.interactor)
    #expect(tree.snapshot().nodes[0].workers == ["ScriptedWorker"])
    clock.advance(by: .seconds(3))
    tree.end()
    #expect(tree.snapshot().nodes[0].workers.isEmpty)
    #expect(
      lines == [
        "Root workerStarted ScriptedWorker 0.0 seconds -",
        "Root workerStopped ScriptedWorker 3.0 seconds 3.0 seconds",
      ])
    subscription.dispose()
  }

  @Test("runs its own tasks on the tree, which end with it")
  func tasks() async {
    let tree = launch()
    let journal = Journal()
    let worker = ScriptedWorker("meter", log)
    let gate = Gate()
    worker.onStart = { worker in
      worker.task {
        MainActor.preconditionIsolated()
        journal.write("begins")
        await gate.pass()
        journal.write(Task.isCancelled ? "cancelled" : "ends")
      }
    }
    worker.start(root.interactor)
    await journal.wait(for: "begins")
    #expect(tree.snapshot().nodes[0].tasks.count == 1)
    worker.stop()
    await journal.wait(for: "cancelled")
    let report = await tree.shutdown(deadline: .seconds(10))
    #expect(report.stuck.isEmpty)
  }

  @Test("hands results of work off the tree back while it runs, and not afterwards")
  func away() async {
    let tree = launch()
    let journal = Journal()
    let worker = ScriptedWorker("meter", log)
    worker.start(root.interactor)
    worker.run({ 1 }) { journal.write("result \($0)") }
    await journal.wait(for: "result 1")
    let gate = Gate()
    #expect(
      worker.run(
        "late", overlap: .ignoreWhileRunning,
        {
          await gate.passStubbornly(); return 2
        }
      ) {
        journal.write("result \($0)")
      } == .started)
    #expect(worker.run("late", overlap: .ignoreWhileRunning, { 3 }) { journal.write("result \($0)") } == .ignored)
    worker.stop()
    worker.start(root.interactor)
    gate.open()
    await tree.shutdown(deadline: .seconds(10))
    #expect(journal.lines == ["result 1"])
  }

  @Test("is told of errors of its work, and tells its interactor unless it says otherwise")
  func failures() async {
    let tree = launch()
    let journal = Journal()
    root.interactor.onFail = { journal.write("interactor: \($0)") }
    let worker = ScriptedWorker("meter", log)
    worker.start(root.interactor)
    worker.task { throw Failure() }
    await journal.wait(for: "interactor: Failure")
    worker.onFail = { journal.write("worker: \($0)") }
    worker.task("again", overlap: .enqueue) { throw Failure() }
    await journal.wait(for: "worker: Failure")
    #expect(journal.lines.count == 2)
    tree.end()
  }

  @Test("starts nothing while it does not run, and says so")
  func stopped() {
    let misuse = MisuseLog()
    let tree = launch(TreeConfiguration(onMisuse: { misuse.add($0) }))
    let worker = ScriptedWorker("meter", log)
    root.attachChild(child)
    worker.start(child.interactor)
    root.detachChild(child)
    #expect(withMisuseHandler({ misuse.add($0) }) { worker.task {} } == .inactive)
    #expect(misuse.kinds == [.workOfInactive])
    #expect(misuse.misuses.last?.message.contains("ScriptedWorker") == true)
    tree.end()
  }

  @Test("that detaches its own RIB when it begins keeps the RIB from going on")
  func detachesItself() {
    let tree = launch()
    let worker = ScriptedWorker("first", log)
    let second = ScriptedWorker("second", log)
    worker.onStart = { [root, child] _ in root.detachChild(child) }
    child.interactor.onActive = { [log] _ in log.lines.append("active") }
    child.interactor.onResign = { [log] _ in log.lines.append("resigns") }
    child.onLoad = { [log] _ in log.lines.append("loads") }
    worker.start(child.interactor)
    second.start(child.interactor)
    root.attachChild(child)
    #expect(log.lines == ["first starts", "first stops"])
    #expect(!child.interactor.isActive)
    #expect(root.children.isEmpty)
    worker.onStart = nil
    root.attachChild(child)
    #expect(log.lines.suffix(4) == ["first starts", "second starts", "active", "loads"])
    tree.end()
  }

  @Test("that ends the tree when it begins is stopped with it")
  func endsTree() {
    let tree = launch()
    let worker = ScriptedWorker("meter", log)
    worker.onStart = { _ in tree.end() }
    worker.start(root.interactor)
    #expect(log.lines == ["meter starts", "meter stops"])
    #expect(!tree.isActive)
  }

  @Test("stopped by who watches the tree, before it was told that it begins, is not told anything")
  func stoppedByObserver() {
    let tree = Tree(root: root)
    let worker = ScriptedWorker("meter", log)
    let subscription = tree.events.subscribe(onNext: { if $0.kind == .workerStarted { worker.stop() } })
    tree.launch()
    worker.start(root.interactor)
    #expect(log.lines.isEmpty)
    #expect(!worker.isStarted)
    subscription.dispose()
    tree.end()
  }

  @Test("and its interactor are released with the tree")
  func released() async {
    weak var interactor: Interactor?
    weak var worker: ScriptedWorker?
    do {
      let router = Scripted.RootRouter()
      let tree = Tree(root: router)
      tree.launch()
      let mine = ScriptedWorker("meter", log)
      mine.start(router.interactor)
      interactor = router.interactor
      worker = mine
      #expect(worker?.isRunning == true)
      withExtendedLifetime((router, tree, mine)) {}
    }
    #expect(interactor == nil)
    #expect(worker == nil)
    #expect(log.lines == ["meter starts", "meter stops"])
  }
}
