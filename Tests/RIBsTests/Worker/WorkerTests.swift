import RIBs
import Testing

@Suite("A worker")
struct WorkerTests {
  private let log = Log()
  private let interactor: ProbeInteractor

  init() { interactor = ProbeInteractor("ride", log) }

  private func worker(_ name: String) -> ScriptedWorker { ScriptedWorker(name, log) }

  @Test("runs once for each activation, from its start to its stop")
  func bound() {
    let worker = worker("meter")
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
    #expect(
      log.lines == [
        "meter starts", "ride active true", "ride resigns true", "meter stops",
        "meter starts", "ride active true", "meter stops", "ride resigns true", "ride active true",
      ])
  }

  @Test("says in a stream whether it is started")
  func startedStream() {
    let worker = worker("meter")
    var heard: [Bool] = []
    let subscription = worker.isStartedStream.subscribe(onNext: { heard.append($0) })
    worker.start(interactor)
    interactor.activate()
    interactor.deactivate()
    worker.start(interactor)
    worker.stop()
    worker.stop()
    #expect(heard == [false, true, false])
    subscription.dispose()
  }

  @Test("begins before the interactor is told that it is active, in the order of starting, and stops in reverse")
  func order() {
    let names = (0..<40).map { "worker \($0)" }
    for name in names { worker(name).start(interactor) }
    interactor.activate()
    interactor.deactivate()
    let starts = names.map { "\($0) starts" }
    let stops = names.reversed().map { "\($0) stops" }
    #expect(log.lines == starts + ["ride active true", "ride resigns true"] + stops)
  }

  @Test("started again goes to the end of the order")
  func startedAgain() {
    let first = worker("first")
    first.start(interactor)
    worker("second").start(interactor)
    interactor.activate()
    log.lines = []
    first.stop()
    first.start(interactor)
    interactor.deactivate()
    interactor.activate()
    #expect(
      log.lines == [
        "first stops", "first starts", "ride resigns true", "first stops", "second stops",
        "second starts", "first starts", "ride active true",
      ])
  }

  @Test("started while its interactor becomes active runs at once, and before it the next time")
  func startedInCallback() {
    let worker = worker("meter")
    interactor.onActive = { worker.start($0) }
    interactor.activate()
    interactor.deactivate()
    interactor.activate()
    #expect(
      log.lines == [
        "ride active true", "meter starts", "ride resigns true", "meter stops", "meter starts", "ride active true",
      ])
  }

  @Test("started while its interactor resigns waits for the next activation")
  func startedWhileResigning() {
    let worker = worker("meter")
    interactor.activate()
    interactor.onResign = { worker.start($0) }
    interactor.deactivate()
    #expect(worker.isStarted)
    #expect(log.lines == ["ride active true", "ride resigns true"])
    interactor.activate()
    #expect(log.lines.suffix(2) == ["meter starts", "ride active true"])
  }

  @Test("agrees with the stream of its interactor when it begins and when it stops")
  func agreesWithStream() {
    let worker = worker("meter")
    worker.start(interactor)
    var active: [Bool] = []
    let subscription = interactor.isActiveStream.subscribe(onNext: { active.append($0) })
    worker.onStart = { [interactor] _ in #expect(active.last == true && interactor.isActive) }
    worker.onStop = { [interactor] _ in #expect(active.last == false && !interactor.isActive) }
    interactor.activate()
    interactor.deactivate()
    #expect(active == [false, true, false])
    #expect(log.lines.count == 4)
    subscription.dispose()
  }

  @Test("is held by the interactor that it was started on, until it is stopped")
  func held() {
    var isGone = false
    weak var weakly: ScriptedWorker?
    do {
      let worker = worker("meter")
      worker.onDeinit = { isGone = true }
      worker.start(interactor)
      weakly = worker
    }
    interactor.activate()
    #expect(weakly?.isRunning == true)
    weakly?.stop()
    #expect(isGone)
    #expect(log.lines == ["meter starts", "ride active true", "meter stops"])
  }

  @Test("stops when its interactor is released, and can be started on another")
  func startedOnAnother() {
    let worker = worker("meter")
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
    #expect(log.lines == ["meter starts", "meter stops", "ride active true", "meter starts"])
  }

  @Test("is not started on two scopes at once, and says so")
  func twoScopes() {
    let worker = worker("meter")
    let other = Interactor()
    worker.start(interactor)
    #expect(misuses { worker.start(other) } == [.workerStarted])
    other.activate()
    #expect(!worker.isRunning)
    interactor.activate()
    #expect(worker.isRunning)
    withExtendedLifetime(other) {}
  }

  @Test("disposes of its subscriptions before it is told that it has stopped")
  func disposes() {
    let worker = worker("meter")
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
    let worker = worker("meter")
    let relay = PublishRelay<Int>()
    var heard: [Int] = []
    let kinds = misuses {
      relay.subscribe(onNext: { heard.append($0) }).disposeOnStop(worker)
      worker.start(interactor)
      relay.subscribe(onNext: { heard.append($0) }).disposeOnStop(worker)
    }
    relay.accept(1)
    #expect(heard.isEmpty)
    #expect(kinds == [.subscriptionOfInactive, .subscriptionOfInactive])
  }

  @Test("follows a test double of a scope, and forgets it when it ends")
  func double() {
    final class Scope: InteractorScope {
      let relay = BehaviorRelay(value: false)
      var isActive: Bool { relay.value }
      var isActiveStream: Observable<Bool> { relay.asObservable() }
    }
    let worker = worker("meter")
    do {
      let scope = Scope()
      worker.start(scope)
      scope.relay.accept(true)
      #expect(worker.isRunning)
      scope.relay.accept(false)
      #expect(!worker.isRunning)
      scope.relay.accept(true)
    }
    #expect(!worker.isStarted)
    #expect(log.lines == ["meter starts", "meter stops", "meter starts", "meter stops"])
    worker.start(interactor)
    #expect(worker.isStarted)
  }

  @Test("tells the end of its streams when it is released")
  func completes() {
    var lines: [String] = []
    var worker: ScriptedWorker? = worker("meter")
    let subscription = worker?.isStartedStream.subscribe(
      onNext: { lines.append("\($0)") }, onCompleted: { lines.append("end") })
    worker = nil
    #expect(lines == ["false", "end"])
    subscription?.dispose()
  }
}
