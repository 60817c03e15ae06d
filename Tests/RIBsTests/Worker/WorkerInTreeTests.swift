// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting
import Testing

@Suite("A worker in a tree", .folded)
struct WorkerInTreeTests {
  private let test = TestTree(recording: [.workers, .tasks, .activity, .loading, .time])
  private let root = Scripted.RootRouter()
  private let child = Scripted.ChildRouter()
  private let worker: ScriptedWorker

  init() {
    worker = ScriptedWorker("meter", in: test.transcript)
    child.expectsReattachment = true
    test.launch(root)
    test.skip()
  }

  /// The lines of the transcript when the worker runs on the root.
  private let running = "Root worker ScriptedWorker started\nmeter starts"

  @Test("is seen in events and in the snapshot while it runs")
  func seen() throws {
    let tree = try #require(test.tree)
    let durations = StreamRecorder(tree.events.compactMap { $0.worker == nil ? nil : "\($0.duration ?? .zero)" })
    worker.start(root.interactor)
    #expect(tree.snapshot().nodes.map(\.workers) == [["ScriptedWorker"]])
    test.advance(by: .seconds(3))
    tree.end()
    #expect(tree.snapshot().nodes.map(\.workers) == [[]])
    durations.expect("0.0 seconds", "3.0 seconds")
    test.expect(
      """
      \(running)
      3.0 seconds later
      meter stops
      Root worker ScriptedWorker stopped
      Root resigned
      """)
    test.finish()
  }

  @Test("hands results of work off the tree back while it runs, and not afterwards")
  func away() {
    let transcript = test.transcript
    let late = PendingResponses<String, Int>(respectsCancellation: false)
    worker.start(root.interactor)
    worker.run("first", overlap: .concurrent, { 1 }) { transcript.write("result \($0)") }
    test.settle()
    test.expect("\(running)", "Root task first started", "result 1", "Root task first ended")
    func load() -> BoundWork.Start {
      worker.run("late", overlap: .ignoreWhileRunning, { try await late.answer(to: "How far?") }) {
        transcript.write("result \($0)")
      }.start
    }
    #expect(load() == .started)
    #expect(load() == .ignored)
    test.settle()
    worker.stop()
    worker.start(root.interactor)
    late.respond(with: 2)
    test.settle()
    test.expect(
      """
      Root task late started
      meter stops
      Root worker ScriptedWorker stopped
      \(running)
      Root task late ended
      """)
    test.finish(expecting: "meter stops", "Root worker ScriptedWorker stopped", "Root resigned")
  }

  @Test("receives errors of its work, and passes them to its interactor unless it overrides that")
  func failures() {
    let transcript = test.transcript
    root.interactor.onFail = { transcript.write("interactor: \($0)") }
    worker.start(root.interactor)
    worker.task("first", overlap: .enqueue) { throw Failure() }
    test.settle()
    worker.onFail = { transcript.write("worker: \($0)") }
    worker.task("again", overlap: .enqueue) { throw Failure() }
    test.settle()
    test.expect(
      """
      \(running)
      Root task first started
      Root task first failed: Failure
      interactor: Failure
      Root task again started
      Root task again failed: Failure
      worker: Failure
      """)
    test.finish(expecting: "meter stops", "Root worker ScriptedWorker stopped", "Root resigned")
  }

  @Test("starts nothing while it does not run, and says so")
  func stopped() {
    root.attachChild(child)
    worker.start(child.interactor)
    root.detachChild(child)
    test.skip()
    let refused = recordMisuses { #expect(worker.task {}.start == .inactive) }
    #expect(refused.map(\.kind) == [.taskWhileInactive])
    #expect(refused.last?.message.contains("ScriptedWorker") == true)
    test.expect()
    test.finish()
  }

  @Test("that detaches its own RIB when it begins keeps the RIB from going on")
  static func detachesItself() {
    let test = TestTree(recording: .workers)
    let (root, child) = (test.launch(Scripted.RootRouter()), Scripted.ChildRouter())
    let worker = ScriptedWorker("first", in: test.transcript)
    let second = ScriptedWorker("second", in: test.transcript)
    worker.onStart = { _ in root.detachChild(child) }
    child.interactor.onActive = { _ in test.transcript.write("didBecomeActive") }
    child.interactor.onResign = { _ in test.transcript.write("willResignActive") }
    child.onLoad = { _ in test.transcript.write("didLoad") }
    worker.start(child.interactor)
    second.start(child.interactor)
    root.attachChild(child)
    test.expect(
      """
      Root/Child worker ScriptedWorker started
      first starts
      first stops
      Root/Child worker ScriptedWorker stopped
      """)
    #expect(!child.interactor.isActive)
    #expect(root.children.isEmpty)
    worker.onStart = nil
    root.attachChild(child)
    test.expect(
      """
      Root/Child worker ScriptedWorker started
      first starts
      Root/Child worker ScriptedWorker started
      second starts
      didBecomeActive
      didLoad
      """)
    test.finish(
      expecting:
        """
        willResignActive
        second stops
        Root/Child worker ScriptedWorker stopped
        first stops
        Root/Child worker ScriptedWorker stopped
        """)
  }

  @Test("that ends the tree when it begins is stopped with it")
  func endsTree() {
    worker.onStart = { [test] _ in test.tree?.end() }
    worker.start(root.interactor)
    test.expect("\(running)", "meter stops", "Root worker ScriptedWorker stopped", "Root resigned")
    #expect(test.tree?.isActive == false)
    test.finish()
  }

  @Test("receives no callback if an observer of the tree stops it before its start")
  func stoppedByObserver() {
    let subscription = test.tree?.events.subscribe(onNext: { [worker] in
      if $0.kind == .workerStarted { worker.stop() }
    })
    worker.start(root.interactor)
    test.expect("Root worker ScriptedWorker started", "Root worker ScriptedWorker stopped")
    #expect(!worker.isStarted)
    subscription?.dispose()
    test.finish()
  }
}
