// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting
import Testing

protocol PickListener: AnyObject {
  func didPick(_ place: String, at index: Int)
  func didCancel()
}

private final class PickListenerDouble: ListenerDouble, PickListener {
  func didPick(_ place: String, at index: Int) { record(place, index) }
  func didCancel() { record() }
}

@Suite("A double")
struct DoubleTests {
  private let test = TestTree()

  @Test("records its calls as source code")
  func calls() {
    let listener = PickListenerDouble()
    listener.didPick("Airport", at: 3)
    listener.didCancel()
    #expect(listener.calls.map(\.function) == ["didPick(_:at:)", "didCancel()"])
    #expect(listener.calls.first?.arguments.first as? String == "Airport")
    listener.expect(#"didPick("Airport", at: 3)"#, "didCancel()")
    listener.expect()
  }

  @Test("fails a test when its calls are not as expected")
  func unexpectedCalls() {
    let listener = PickListenerDouble()
    listener.didCancel()
    expectFailure(
      """
      PickListener was not called as expected: "-" was not called, "+" was not expected.
        - didPick("Airport", at: 3)
        + didCancel()
      Correct the caller, or the expectation.
      """
    ) { listener.expect(#"didPick("Airport", at: 3)"#) }
  }

  @Test("writes its calls to a transcript among the events of the tree")
  func transcript() {
    let listener = PickListenerDouble(in: test.transcript)
    let root = test.launch(Scripted.RootRouter())
    root.interactor.task("pick", overlap: .enqueue) { listener.didPick("Airport", at: 3) }
    test.settle()
    test.expect(
      """
      Root attached
      Root active
      Root loaded
      Root task pick started
      PickListener.didPick("Airport", at: 3)
      Root task pick ended
      """)
    test.finish()
  }

  @Test("of an interactor is active when its router is")
  func interactable() {
    let interactor = InteractableDouble()
    let activity = StreamRecorder(interactor.isActiveStream)
    test.launch(Router<any Interactable>(interactor: interactor))
    test.skip()
    #expect(interactor.isActive)
    test.finish()
    #expect(!interactor.isActive)
    interactor.expect("activate()", "deactivate()")
    activity.expect(false, true, false)
  }

  @Test("of a router can be attached to a real one, which activates and loads it")
  func child() {
    let interactor = InteractableDouble()
    let child = RoutingDouble(interactable: interactor)
    let root = test.launch(Scripted.RootRouter())
    test.skip()
    root.attachChild(child)
    child.expect("load()")
    test.expect("Root/RoutingDouble attached", "Root/RoutingDouble active", "Root/RoutingDouble loaded")
    root.detachChild(child)
    interactor.expect("activate()", "deactivate()")
    test.expect("Root/RoutingDouble resigned\nRoot/RoutingDouble detached")
    test.finish()
  }

  @Test("of a router records attached children, and emits its lifecycle")
  func parent() {
    let router = ViewableRoutingDouble()
    let lifecycle = StreamRecorder(router.lifecycle)
    let child = RoutingDouble()
    router.load()
    router.attachChild(child)
    #expect(router.children.count == 1)
    router.detachChild(child)
    #expect(router.children.isEmpty)
    router.expect("load()", "attachChild(RoutingDouble)", "detachChild(RoutingDouble)")
    lifecycle.expect(.didLoad)
  }

  @Test("of a builder creates a new product each time, and does not keep it alive")
  func builder() {
    let builder = BuildableDouble<any Routing> { RoutingDouble() }
    let (first, second) = (builder.make(1, function: "build(number:)"), builder.make(2, function: "build(number:)"))
    #expect(first !== second)
    #expect(builder.products.count == 2)
    builder.expect("build(number: 1)", "build(number: 2)")
    withExtendedLifetime((first, second)) {}
  }

  @Test("of a worker reports whether it is started")
  func worker() {
    let worker = WorkingDouble()
    let started = StreamRecorder(worker.isStartedStream)
    let interactor = InteractableDouble()
    worker.start(interactor)
    #expect(worker.scope === interactor)
    worker.stop()
    worker.expect("start(InteractableDouble)", "stop()")
    started.expect(false, true, false)
  }

  @Test("does not keep alive the RIB that calls it")
  func scope() {
    let (worker, root) = (WorkingDouble(), test.launch(Scripted.RootRouter()))
    do {
      let child = Scripted.ChildRouter()
      child.interactor.onActive = { worker.start($0) }
      root.attachChild(child)
      #expect(worker.calls.first?.arguments.first as? Scripted.Interactor === child.interactor)
      root.detachChild(child)
    }
    test.skip()
    #expect(failures { test.finish() } == [])
    worker.expect("start(Interactor)")
  }
}

@Suite("A failure")
struct TestRunnerTests {
  @Test(
    "is reported to the framework that runs the tests of the process",
    arguments: [
      (["a.xctest", "--testing-library", "swift-testing"], .swiftTesting),
      (["helper", "--testing-library", "swift-testing"], .swiftTesting), (["a.xctest", "--filter", "b"], .xctest),
      (["server", "--testing-library"], nil),
    ] as [([String], TestRunner?)])
  func runner(arguments: [String], runner: TestRunner?) {
    #expect(TestRunner(arguments: arguments, environment: [:]) == runner)
    #expect(
      TestRunner(arguments: arguments, environment: ["XCTestConfigurationFilePath": "/a"]) == runner ?? .xctest)
  }
}

@Suite("A stream recorder")
struct StreamRecorderTests {
  private let relay = PublishRelay<Int>()

  @Test("holds the values since the last expectation")
  func values() {
    let recorder = StreamRecorder(relay)
    relay.accept(1)
    relay.accept(2)
    recorder.expect(1, 2)
    relay.accept(3)
    recorder.expect(3)
    recorder.expect()
    recorder.stop()
    relay.accept(4)
    recorder.expect()
    #expect(!recorder.hasEnded)
  }

  @Test("calls the test's reaction after recording each value")
  func reaction() {
    var recorder: StreamRecorder<Int>?
    recorder = StreamRecorder(relay) { value in
      if value == 1 { relay.accept(2) }
      if value == 3 { recorder?.stop() }
    }
    for value in [1, 3, 4] { relay.accept(value) }
    recorder?.expect(1, 2, 3)
  }

  @Test("records that a stream has ended")
  func end() {
    let recorder = StreamRecorder(Observable.just(1))
    #expect(recorder.hasEnded)
    recorder.expect(1)
  }

  @Test("fails a test when the values are not as expected")
  func unexpected() {
    let recorder = StreamRecorder(relay)
    relay.accept(1)
    expectFailure(
      """
      The stream did not deliver the expected values: "-" was not delivered, "+" was not expected.
        - 2
        + 1
      Correct the source of the stream, or the expectation.
      """
    ) { recorder.expect(2) }
  }
}

@Suite("A worker alone")
struct WorkerAloneTests {
  private final class TickWorker: Worker {
    let clock: TestClock
    let ticks = PublishRelay<Int>()

    init(clock: TestClock) { self.clock = clock }

    override func didStart(_ interactorScope: any InteractorScope) {
      super.didStart(interactorScope)
      task("ticks", overlap: .enqueue) {
        for tick in 1... {
          try await self.clock.sleep(for: .seconds(1))
          self.ticks.accept(tick)
        }
      }
    }
  }

  @Test("runs while the scope is active")
  func worker() {
    let test = TestTree(recording: [.workers, .tasks, .values])
    let worker = TickWorker(clock: test.clock)
    test.transcript.record(worker.ticks, as: "tick")
    let scope = test.launch(worker: worker)
    test.advance(by: .seconds(2))
    test.expect(
      """
      Scope worker TickWorker started
      Scope task ticks started
      tick: 1
      tick: 2
      """)
    scope.deactivate()
    test.advance(by: .seconds(2))
    test.expect("Scope worker TickWorker stopped", "Scope task ticks ended")
    scope.activate()
    test.advance(by: .seconds(1))
    test.expect("Scope worker TickWorker started", "Scope task ticks started", "tick: 1")
    test.finish()
  }
}
