// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting
import Testing

@Suite("A worker", .folded)
struct WorkerTests {
  private let test = TestTree(recording: [])
  private let interactor: ProbeInteractor
  private let worker: ScriptedWorker

  init() {
    interactor = ProbeInteractor("ride", in: test.transcript)
    worker = ScriptedWorker("meter", in: test.transcript)
  }

  private func makeWorker(_ name: String) -> ScriptedWorker { ScriptedWorker(name, in: test.transcript) }

  @Test("runs once for each activation, from its start to its stop")
  func bound() {
    worker.start(interactor)
    #expect(worker.isStarted)
    #expect(!worker.isRunning)
    interactor.activate()
    #expect(worker.isRunning)
    interactor.deactivate()
    #expect(worker.isStarted)
    #expect(!worker.isRunning)
    worker.start(interactor)
    interactor.activate()
    worker.stop()
    #expect(!worker.isStarted)
    #expect(!worker.isRunning)
    worker.stop()
    interactor.deactivate()
    interactor.activate()
    test.expect(
      """
      meter starts
      ride active true
      ride resigns true
      meter stops
      meter starts
      ride active true
      meter stops
      ride resigns true
      ride active true
      """)
  }

  @Test("says in a stream whether it is started, which ends when the worker is released")
  func startedStream() throws {
    var worker: ScriptedWorker? = makeWorker("meter")
    let started = StreamRecorder(try #require(worker).isStartedStream)
    worker?.start(interactor)
    interactor.activate()
    interactor.deactivate()
    worker?.start(interactor)
    worker?.stop()
    worker?.stop()
    started.expect(false, true, false)
    #expect(!started.hasEnded)
    worker = nil
    #expect(started.hasEnded)
    test.skip()
  }

  @Test("starts before the interactor's didBecomeActive, in the order of starting, and stops in reverse")
  func order() {
    let names = (0..<40).map { "worker \($0)" }
    for name in names { makeWorker(name).start(interactor) }
    interactor.activate()
    interactor.deactivate()
    let starts = names.map { "\($0) starts" }
    let stops = names.reversed().map { "\($0) stops" }
    test.expect((starts + ["ride active true", "ride resigns true"] + stops).joined(separator: "\n"))
  }

  @Test("started again goes to the end of the order")
  func startedAgain() {
    let first = makeWorker("first")
    first.start(interactor)
    makeWorker("second").start(interactor)
    interactor.activate()
    test.skip()
    first.stop()
    first.start(interactor)
    interactor.deactivate()
    interactor.activate()
    test.expect(
      """
      first stops
      first starts
      ride resigns true
      first stops
      second stops
      second starts
      first starts
      ride active true
      """)
  }

  @Test("started while its interactor becomes active runs at once, and before it the next time")
  func startedInCallback() {
    interactor.onActive = { [worker] in worker.start($0) }
    interactor.activate()
    interactor.deactivate()
    interactor.activate()
    test.expect(
      """
      ride active true
      meter starts
      ride resigns true
      meter stops
      meter starts
      ride active true
      """)
  }

  @Test("started while its interactor resigns waits for the next activation")
  func startedWhileResigning() {
    interactor.activate()
    interactor.onResign = { [worker] in worker.start($0) }
    interactor.deactivate()
    #expect(worker.isStarted)
    test.expect("ride active true", "ride resigns true")
    interactor.activate()
    test.expect("meter starts", "ride active true")
  }

  @Test("agrees with the stream of its interactor when it begins and when it stops")
  func agreesWithStream() {
    worker.start(interactor)
    let active = StreamRecorder(interactor.isActiveStream)
    worker.onStart = { [interactor] _ in #expect(active.values.last == true && interactor.isActive) }
    worker.onStop = { [interactor] _ in #expect(active.values.last == false && !interactor.isActive) }
    interactor.activate()
    interactor.deactivate()
    active.expect(false, true, false)
    test.expect("meter starts", "ride active true", "ride resigns true", "meter stops")
  }

  @Test("is held by the interactor that it was started on, until it is stopped")
  func held() {
    var isGone = false
    weak var weakly: ScriptedWorker?
    do {
      let worker = makeWorker("meter")
      worker.onDeinit = { isGone = true }
      worker.start(interactor)
      weakly = worker
    }
    interactor.activate()
    #expect(weakly?.isRunning == true)
    weakly?.stop()
    #expect(isGone)
    test.expect("meter starts", "ride active true", "meter stops")
  }

  @Test("stops when its interactor is released, and can be started on another")
  func startedOnAnother() {
    do {
      let short = Interactor()
      worker.start(short)
      short.activate()
      #expect(worker.isRunning)
      withExtendedLifetime(short) {}
    }
    #expect(!worker.isRunning)
    #expect(!worker.isStarted)
    interactor.activate()
    worker.start(interactor)
    #expect(worker.isRunning)
    test.expect("meter starts", "meter stops", "ride active true", "meter starts")
  }

  @Test("is not started on two scopes at once, and says so")
  func twoScopes() {
    let other = Interactor()
    worker.start(interactor)
    #expect(misuses { worker.start(other) } == [.workerStarted])
    other.activate()
    #expect(!worker.isRunning)
    interactor.activate()
    #expect(worker.isRunning)
    withExtendedLifetime(other) {}
  }

  @Test("disposes of its subscriptions before didStop")
  func disposes() {
    let relay = PublishRelay<Int>()
    var heard: [Int] = []
    worker.onStart = { relay.subscribe(onNext: { heard.append($0) }).disposeOnStop($0) }
    worker.onStop = { _ in relay.accept(2) }
    worker.start(interactor)
    interactor.activate()
    relay.accept(1)
    worker.stop()
    relay.accept(3)
    worker.start(interactor)
    relay.accept(4)
    #expect(heard == [1, 4])
  }

  @Test("disposes at once of what is bound to it while it does not run, and says so")
  func bindsNothingWhileStopped() {
    let relay = PublishRelay<Int>()
    var heard: [Int] = []
    let kinds = misuses {
      relay.subscribe(onNext: { heard.append($0) }).disposeOnStop(worker)
      worker.start(interactor)
      relay.subscribe(onNext: { heard.append($0) }).disposeOnStop(worker)
    }
    relay.accept(1)
    #expect(heard.isEmpty)
    #expect(kinds == [.subscriptionWhileInactive, .subscriptionWhileInactive])
  }

  @Test("follows a test double of a scope, and forgets it when it ends")
  func double() {
    do {
      let scope = InteractableDouble()
      worker.start(scope)
      scope.activate()
      #expect(worker.isRunning)
      scope.deactivate()
      #expect(!worker.isRunning)
      scope.activate()
    }
    #expect(!worker.isStarted)
    test.expect("meter starts", "meter stops", "meter starts", "meter stops")
    worker.start(interactor)
    #expect(worker.isStarted)
  }

  @Test("that stops itself as it starts no longer follows a test double of a scope")
  func stoppingItself() {
    let scope = InteractableDouble()
    scope.activate()
    worker.onStart = { $0.stop() }
    worker.start(scope)
    scope.deactivate()
    scope.activate()
    #expect(!worker.isStarted)
    test.expect("meter starts", "meter stops")
  }
}
