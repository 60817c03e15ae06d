// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RIBsStore
import RIBsTesting
import TestSupport
import Testing

@testable import RIBs

@Suite("Work that sleeps until a wall time", .folded)
struct SleepingWorkTests {
  /// Starts work that sleeps, and writes down when it wakes.
  final class SleeperInteractor: Interactor {
    let journal: Journal

    init(_ journal: Journal) { self.journal = journal }

    func sleep(
      _ name: String, until seconds: Int64, timeout: Duration? = nil, _ overlap: BoundWork.OverlapPolicy = .concurrent
    ) {
      task(name, overlap: overlap, timeout: timeout) { try await self.wait(name, until: seconds) }
    }

    func wait(_ name: String, until seconds: Int64) async throws {
      try await sleep(until: SleepingWorkTests.time(seconds))
      journal.write("\(name) at \(SleepingWorkTests.seconds(wallTime))")
    }
  }

  /// The wall time, in seconds after the beginning of a test clock.
  static func time(_ seconds: Int64) -> WallTime { TestClock.beginning + .seconds(seconds) }

  static func seconds(_ time: WallTime) -> String { "\((time - TestClock.beginning).components.seconds)" }

  private let journal = Journal()

  private func makeRouter(_ journal: Journal? = nil) -> Router<SleeperInteractor> {
    let router = Router(interactor: SleeperInteractor(journal ?? self.journal))
    router.expectsReattachment = true
    return router
  }

  /// What runs in a tree when it is asked whether it is idle, beside what the random walk tries.
  enum Situation: CaseIterable {
    case oneSleeping, sleepingAndScheduled, cancelledByDetach, cancelledByKey, setForwardBeyondOne, timeCome
    case inWorker, inWorkerByInteractor, inWorkflow, cancelledInQueue

    /// Whether the tree is idle, when it wakes, and what wakes in the next hour.
    var expected: (isIdle: Bool, wakes: Int64?, woken: [String]) {
      switch self {
      case .oneSleeping: (true, 100, ["one at 100"])
      case .sleepingAndScheduled: (false, 100, ["one at 100"])
      case .cancelledByDetach: (false, 100, ["one at 100"])
      case .cancelledByKey: (false, nil, [])
      case .setForwardBeyondOne: (true, 100, ["two at 80", "one at 100"])
      case .timeCome: (true, nil, ["one at 100"])
      case .inWorker, .inWorkerByInteractor: (true, 60, ["worker at 60", "one at 100"])
      case .inWorkflow: (true, 60, ["it at 60", "one at 100"])
      case .cancelledInQueue: (true, 60, ["two at 60", "one at 100"])
      }
    }
  }

  final class SleepingWorker: Worker {
    let journal: Journal
    /// Whether the interactor sleeps in the work of the worker.
    private let sleepsByInteractor: Bool

    init(_ journal: Journal, byInteractor sleepsByInteractor: Bool) {
      self.journal = journal
      self.sleepsByInteractor = sleepsByInteractor
    }

    override func didStart(_ interactorScope: any InteractorScope) {
      super.didStart(interactorScope)
      let sleeper: TaskOwner = sleepsByInteractor ? interactorScope as? Interactor ?? self : self
      task {
        try await sleeper.sleep(until: SleepingWorkTests.time(60))
        self.journal.write("worker at \(SleepingWorkTests.seconds(self.wallTime))")
      }
    }
  }

  private func prepare(_ situation: Situation, _ test: TestTree, _ root: Router<SleeperInteractor>) {
    root.interactor.sleep("one", until: 100)
    test.settle()
    switch situation {
    case .oneSleeping: break
    case .sleepingAndScheduled:
      root.interactor.sleep("past", until: -1)
      return
    case .cancelledByDetach:
      let child = makeRouter()
      root.attachChild(child)
      child.interactor.sleep("child", until: 60)
      test.settle()
      root.detachChild(child)
      return
    case .cancelledByKey:
      root.interactor.cancel("one")
      return
    case .setForwardBeyondOne:
      root.interactor.sleep("two", until: 60)
      test.settle()
      test.clock.wallTime = Self.time(80)
    case .timeCome: test.advance(by: .seconds(100))
    case .inWorker, .inWorkerByInteractor:
      SleepingWorker(journal, byInteractor: situation == .inWorkerByInteractor).start(root.interactor)
    // Nothing waits for it.
    case .inWorkflow: makeWorkflow().subscribe(root.interactor).disposeOnDeactivate(interactor: root.interactor)
    case .cancelledInQueue:
      root.interactor.sleep("two", until: 60, .enqueue)
      let queued = root.interactor.task("two", overlap: .enqueue) {}
      #expect(test.tree?.core?.isIdle == false)
      queued.cancel()
    }
    test.settle()
  }

  @Test("leaves its tree idle, with the time of the first", arguments: Situation.allCases)
  func situations(_ situation: Situation) throws {
    let test = TestTree(recording: [])
    let root = test.launch(makeRouter())
    test.settle()
    prepare(situation, test, root)
    let core = try #require(test.tree?.core)
    let expected = situation.expected
    let wakes = expected.wakes.map(Self.time)
    #expect(core.isIdle == expected.isIdle)
    #expect(core.wakes == wakes)
    #expect(test.tree?.save().wakes == wakes)
    #expect(test.tree?.save().decoded(by: JSONStateCoder()).wakes == wakes)
    #expect(test.tree?.snapshot().wakes == wakes)
    test.advance(by: .seconds(3600))
    #expect(journal.lines.filter { !$0.hasPrefix("past") } == expected.woken)
    test.finish()
  }

  private func makeWorkflow(timeout: Duration? = nil) -> Workflow<SleeperInteractor> {
    Workflow<SleeperInteractor>().onStep(timeout: timeout) { item in
      try await item.wait("it", until: 60)
      return (item, ())
    }.commit()
  }

  /// Why work that sleeps keeps its tree awake.
  enum Wakeful: CaseIterable { case timeout, queue, awaitedWorkflow, limitedStep, otherRIB }

  @Test("keeps its tree awake if something else waits for it, and wakes all the same", arguments: Wakeful.allCases)
  func wakeful(_ reason: Wakeful) throws {
    let test = TestTree(recording: [])
    let root = test.launch(makeRouter())
    let interactor = root.interactor
    switch reason {
    case .timeout: interactor.sleep("it", until: 60, timeout: .seconds(7200))
    case .queue:
      interactor.sleep("it", until: 60, .enqueue)
      interactor.sleep("it", until: 60, .enqueue)
    case .awaitedWorkflow:
      let workflow = makeWorkflow()
      interactor.task { try await workflow.run(interactor) }
    case .limitedStep:
      makeWorkflow(timeout: .seconds(7200)).subscribe(interactor).disposeOnDeactivate(interactor: interactor)
    case .otherRIB:
      let child = makeRouter()
      root.attachChild(child)
      interactor.task { try await child.interactor.wait("it", until: 60) }
    }
    test.settle()
    #expect(test.tree?.core?.isIdle == false)
    test.advance(by: .seconds(59))
    #expect(journal.lines == [])
    test.advance(by: .seconds(1))
    #expect(journal.lines.first == "it at 60")
    test.finish()
  }

  @Test("is a line of the transcript, and a time in the past is none")
  func transcript() {
    let test = TestTree(recording: [.tasks, .time])
    let interactor = test.launch(interactor: SleeperInteractor(journal)).interactor
    interactor.sleep("past", until: 0)
    interactor.sleep("one", until: 90)
    interactor.sleep("two", until: 3600)
    test.advance(by: .seconds(100))
    interactor.cancel("two")
    test.settle()
    test.expect(
      """
      Sleeper task past started
      Sleeper task one started
      Sleeper task two started
      Sleeper task past ended
      Sleeper task one sleeps until 2026-01-01T00:01:30Z
      Sleeper task two sleeps until 2026-01-01T01:00:00Z
      90.0 seconds later
      Sleeper task one wakes
      Sleeper task one ended
      10.0 seconds later
      Sleeper task two ended
      """)
    #expect(journal.lines == ["past at 0", "one at 90"])
    test.finish()
  }

  @Test("follows a virtual wall clock that is set, and is never early")
  func virtualClock() {
    let test = TestTree(recording: [])
    let interactor = test.launch(makeRouter()).interactor
    interactor.sleep("one", until: 100)
    test.advance(by: .seconds(50))
    #expect(interactor.wallTime == Self.time(50))
    test.clock.wallTime = Self.time(0)
    test.advance(by: .seconds(99))
    #expect(journal.lines == [])
    test.clock.wallTime = Self.time(200)
    #expect(journal.lines == ["one at 200"])
    #expect(test.clock.now.sinceBeginning == .seconds(149))
    test.finish()
  }

  @Test("compares the wall clock every five seconds, and is at most so late", arguments: [-1000, 0, 4, 90, 100, 5000])
  @MainActor
  func comparing(_ set: Int64) async throws {
    let (ticks, wall) = (TestClock(), Shared(Self.time(0)))
    let root = makeRouter()
    let tree = Tree.launched(
      root, TreeConfiguration(clock: ticks, wallClock: WallTime.Clock { wall.value }, leakDetection: .off))
    root.interactor.sleep("one", until: 100)
    await ticks.waitForSleeper()
    #expect(tree.core?.wakes == Self.time(100))
    #expect(ticks.deadlines.map(\.sinceBeginning) == [.seconds(5)])
    // After this, the wall clock moves with the other one again.
    var present = set
    wall.value = Self.time(present)
    while journal.lines.isEmpty {
      let step = try #require(ticks.deadlines.first).sinceBeginning - ticks.now.sinceBeginning
      #expect(step <= .seconds(5))
      present += step.components.seconds
      wall.value = Self.time(present)
      ticks.advance(by: step)
      if present >= 100 { await journal.wait(for: "one at \(present)") } else { await ticks.waitForSleeper() }
    }
    #expect(present >= 100 && present <= max(100, set + 5))
    await tree.shutdown()
  }

  @Test("throws when it is cancelled, also if it only looks at a time in the past")
  func cancelled() {
    let test = TestTree(recording: [])
    let root = test.launch(makeRouter())
    let child = makeRouter()
    root.attachChild(child)
    let interactor = child.interactor
    interactor.task {
      for seconds: Int64 in [100, 0] {
        do { try await interactor.sleep(until: Self.time(seconds)) } catch { self.journal.write("\(type(of: error))") }
      }
    }
    test.settle()
    root.detachChild(child)
    test.settle()
    #expect(journal.lines == ["CancellationError", "CancellationError"])
    test.finish()
  }

  @Test("waits outside trees, for the clock of the system")
  func outside() async throws {
    let interactor = Interactor()
    let end = interactor.wallTime + .milliseconds(20)
    try await interactor.sleep(until: end)
    #expect(WallTime.now >= end)
    // A busy machine may take minutes, and a wait of the wrong length an hour.
    #expect(WallTime.now - end < .seconds(900))
    try await interactor.sleep(until: Date.now + 0.01)
    let task = Task { try await Interactor().sleep(until: .now + .seconds(3600)) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  private final class Saves: TreeSaving {
    let last = Shared<SavedTree?>(nil)

    var wakes: WallTime? { last.value?.wakes }

    func save(_ saved: SavedTree) async throws { last.value = saved }
  }

  private func makeHost(_ configuration: TreeConfiguration) async -> TreeHost<Router<SleeperInteractor>> {
    await TreeHost(configuration: configuration) { [journal] in Router(interactor: SleeperInteractor(journal)) }
  }

  /// Whether a tree is ended as idle, and when it wakes then.
  private func passivate<Root>(_ host: TreeHost<Root>) async -> String {
    let (isEnded, wakes) = await host.home.endIfIdle(alsoAsleep: true)
    return isEnded ? "ended until \(wakes.map(Self.seconds) ?? "a call")" : "not ended"
  }

  @Test("is passivated by a directory with its time, and only if nothing else runs")
  func passivation() async throws {
    let clock = TestClock()
    let saves = Saves()
    var configuration = TreeConfiguration(clock: clock, wallClock: clock.wallClock, leakDetection: .off, saving: saves)
    configuration.savesNewTree = false
    let host = await makeHost(configuration)
    let handle = try await host.perform { root in
      root.interactor.sleep("one", until: 100)
      return root.interactor.task {
        try? await root.interactor.sleep(until: Self.time(50))
        try? await clock.sleep(for: .seconds(3600))
      }.start
    }
    #expect(handle == .started)
    while clock.deadlines.count < 2 { await Task.yield() }
    // A new tree is saved when work first sleeps.
    while saves.wakes == nil { await Task.yield() }
    while !(await host.home.isIdle) { await Task.yield() }
    #expect(saves.wakes == Self.time(50))
    clock.advance(by: .seconds(50))
    while clock.deadlines.last?.sinceBeginning != .seconds(3650) { await Task.yield() }
    #expect(await passivate(host) == "not ended")
    try await host.perform { root in root.interactor.cancel("one") }
    #expect(await passivate(host) == "not ended")
    let (hadWork, wakes, _) = await host.home.endSaving()
    #expect(hadWork && wakes == nil)
    await host.shutdown()
    #expect(journal.lines == [])

    let second = await makeHost(configuration)
    try await second.perform { root in root.interactor.sleep("one", until: 200) }
    while !(await second.home.isIdle && clock.deadlines.count == 1) { await Task.yield() }
    #expect(await second.home.endIfIdle(alsoAsleep: false).isEnded == false)
    #expect(await passivate(second) == "ended until 200")
    #expect(await passivate(second) == "not ended")
    await second.shutdown()
    clock.advance(by: .seconds(1000))
    #expect(journal.lines == [])
  }

  @Test("in a call from outside keeps the tree awake")
  func call() async throws {
    let clock = TestClock()
    let host = await makeHost(TreeConfiguration(clock: clock, wallClock: clock.wallClock, leakDetection: .off))
    let answer = Task { try await host.perform { root in try await root.interactor.wait("call", until: 100) } }
    await clock.waitForSleeper()
    #expect(await passivate(host) == "not ended")
    let (hadWork, wakes, _) = await host.home.endSaving()
    #expect(hadWork && wakes == nil)
    await #expect(throws: TreeEnded.self) { try await answer.value }
    await host.shutdown()
  }

  @Test("agrees with a model in a random walk")
  func walk() throws {
    let first = ProcessInfo.processInfo.environment["RIBS_SEED"].flatMap { UInt64($0) } ?? .random(in: 0..<1 << 48)
    for seed in first..<first + 20 {
      var random = SplitMix(seed)
      let journal = Journal()
      let test = TestTree(recording: [])
      let root = test.launch(makeRouter())
      var children: [Router<SleeperInteractor>] = []
      /// The sleeping work, and the running work, by the index of the child.
      var sleeping: [(name: String, child: Int, end: Int64)] = []
      var running: [(child: Int, end: Int64)] = []
      var (now, wall): (Int64, Int64) = (0, 0)
      var expected: [String] = []
      for step in 0..<60 {
        let index = random.below(max(1, children.count))
        let child = index < children.count && children[index].interactor.isActive ? children[index] : nil
        switch (random.below(6), child) {
        case (0, _):
          let child = makeRouter(journal)
          root.attachChild(child)
          children.append(child)
        case (1, let child?):
          root.detachChild(child)
          sleeping.removeAll { $0.child == index }
          running.removeAll { $0.child == index }
        case (2, let child?):
          let end = wall + Int64(1 + random.below(500))
          child.interactor.sleep("\(step)", until: end)
          sleeping.append(("\(step)", index, end))
        case (3, let child?):
          let seconds = 1 + random.below(100)
          child.interactor.task { try await child.interactor.treeClock.sleep(for: .seconds(seconds)) }
          running.append((index, now + Int64(seconds)))
        case (4, _):
          let seconds = Int64(random.below(120))
          test.advance(by: .seconds(seconds))
          (now, wall) = (now + seconds, wall + seconds)
        default:
          // Set back, or forward.
          let jump = Int64(random.below(100)) - 50
          test.clock.wallTime = Self.time(wall + jump)
          wall += jump
        }
        test.settle()
        expected += sleeping.filter { $0.end <= wall }.map(\.name)
        sleeping.removeAll { $0.end <= wall }
        running.removeAll { $0.end <= now }
        #expect(test.tree?.core?.isIdle == running.isEmpty, "RIBS_SEED=\(seed), step \(step)")
        #expect(test.tree?.save().wakes == sleeping.map { Self.time($0.end) }.min(), "RIBS_SEED=\(seed), step \(step)")
      }
      #expect(Set(journal.lines.map { String($0.prefix { $0 != " " }) }) == Set(expected), "RIBS_SEED=\(seed)")
      test.finish()
    }
  }
}

extension TreeActor {
  var isIdle: Bool { core?.isIdle ?? false }
}
