// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting
import Testing

/// An actor without a custom executor, called by a tree.
private actor Counter {
  private(set) var total = 0

  func add(_ number: Int) -> Int {
    total += number
    return total
  }
}

@Suite("A driven tree")
struct DrivingTests {
  private let test = TestTree(recording: [.tasks, .time])

  @Test("runs nothing until the test lets it, then everything in order")
  func settling() {
    let root = test.launch(Scripted.RootRouter())
    root.interactor.task("first", overlap: .concurrent) { self.test.transcript.write("in first") }
    root.interactor.task("second", overlap: .concurrent) {
      self.test.transcript.write("in second")
      await Task.yield()
      self.test.transcript.write("in second again")
    }
    root.interactor.run("away", overlap: .concurrent, { 7 }) { self.test.transcript.write("result \($0)") }
    test.expect("Root task first started", "Root task second started", "Root task away started")
    test.settle()
    test.expect(
      """
      in first
      Root task first ended
      in second
      result 7
      Root task away ended
      in second again
      Root task second ended
      """)
    test.finish()
  }

  @Test("wakes sleepers at their deadlines, one at a time")
  func time() {
    let root = test.launch(Scripted.RootRouter())
    for seconds in [3, 1, 2] {
      root.interactor.task("sleeper \(seconds)", overlap: .concurrent) { [clock = test.clock] in
        try await clock.sleep(for: .seconds(seconds))
        try await clock.sleep(for: .seconds(seconds))
      }
    }
    test.skip()
    test.advance(by: .seconds(3))
    test.expect("2.0 seconds later", "Root task sleeper 1 ended")
    test.advance(by: .milliseconds(2500))
    test.expect("2.0 seconds later", "Root task sleeper 2 ended")
    #expect(test.clock.deadlines.map(\.sinceBeginning) == [.seconds(6)])
    test.finish()
    #expect(test.clock.deadlines.isEmpty)
  }

  @Test("drives off-tree work: functions, groups and actors")
  func away() {
    let root = test.launch(Scripted.RootRouter())
    let counter = Counter()
    root.interactor.run(
      "away", overlap: .concurrent,
      { [clock = test.clock] in
        async let one = counter.add(1)
        let others = await withTaskGroup(of: Int.self) { group in
          for number in 2...9 {
            group.addTask {
              try? await clock.sleep(for: .seconds(10 - number))
              return await counter.add(number)
            }
          }
          return await group.reduce(into: []) { $0.append($1) }
        }
        return await [one] + others
      }
    ) { self.test.transcript.write("\($0)") }
    test.settle()
    test.expect("Root task away started")
    test.advance(by: .seconds(10))
    test.expect("8.0 seconds later", "[1, 10, 18, 25, 31, 36, 40, 43, 45]", "Root task away ended")
    test.finish()
  }

  @Test("can be used in an asynchronous test, and can wait for work it does not drive")
  func outside() async {
    let root = test.launch(Scripted.RootRouter())
    root.interactor.run("outside", overlap: .concurrent, { await Task.detached { 42 }.value }) {
      self.test.transcript.write("\($0)")
    }
    await test.settle { test.transcript.lines.contains("42") }
    test.expect("Root task outside started\n42\nRoot task outside ended")
    test.finish()
  }
}

@Suite("Waiting for a condition", .timeLimit(.minutes(1)))
struct WaitForConditionTests {
  private let test = TestTree(recording: [])

  @Test("ends when it holds, although no work of the tree has resumed")
  func elsewhere() async {
    let answers = PendingResponses<Int, Int>()
    test.launch(Scripted.RootRouter()).interactor.run(
      "outside", overlap: .concurrent, { try await Task.detached { try await answers.answer(to: 1) }.value }
    ) { _ in }
    await test.settle { !answers.questions.isEmpty }
    answers.respond(with: 2)
    await test.settle { test.runningWork.isEmpty }
    test.finish()
  }

  @Test("ends with a failure if the tree does not settle")
  func restless() async {
    test.limit = 1000
    test.launch(Scripted.RootRouter()).interactor.task {
      while !Task.isCancelled { await Task.yield() }
    }
    let found = await failures { await test.settle { false } }
    #expect(found.count == 1 && found[0].hasPrefix("The tree does not settle: it ran 1000 jobs"))
    test.finish()
  }
}

@Suite("Two trees with one clock")
struct SharedClockTests {
  private let first = TestTree(recording: [])
  private let second: TestTree
  private let firstRoot = Scripted.RootRouter()
  private let secondRoot = Scripted.RootRouter()

  init() {
    second = TestTree(recording: [], clock: first.clock)
    first.launch(firstRoot)
    second.launch(secondRoot)
  }

  @Test("drive each other")
  func driven() {
    let (stream, values) = AsyncStream<Void>.makeStream()
    firstRoot.interactor.task { for await _ in stream {} }
    #expect(
      failures {
        first.settle()
        secondRoot.interactor.task { values.finish() }
        second.settle()
        first.settle()
      } == [])
    #expect(first.runningWork == [])
    first.finish()
    second.finish()
  }

  @Test("fail if they keep each other from settling")
  func restless() {
    let (one, other) = (AsyncStream<Void>.makeStream(), AsyncStream<Void>.makeStream())
    for test in [first, second] { test.limit = 1000 }
    firstRoot.interactor.task { for await _ in one.stream { other.continuation.yield() } }
    secondRoot.interactor.task { for await _ in other.stream { one.continuation.yield() } }
    one.continuation.yield()
    let found = failures { for test in [first, second] { test.settle() } }
    #expect(found.contains { $0.hasPrefix("The tree does not settle: it ran 1000 jobs") })
    for end in [one, other] { end.continuation.finish() }
    _ = failures { for test in [first, second] { test.finish() } }
  }
}

@Suite("A clock of a tree that is not driven")
@MainActor
struct WaitForSleeperTests {
  @Test("lets a test wait for a sleeper")
  func wait() async {
    let clock = TestClock()
    let root = Scripted.RootRouter()
    let tree = Tree(root: root, configuration: TreeConfiguration(clock: clock))
    tree.launch()
    let (ticks, tick) = AsyncStream<Int>.makeStream()
    root.interactor.task {
      for number in 1...2 {
        try await clock.sleep(for: .seconds(60))
        tick.yield(number)
      }
    }
    var numbers = ticks.makeAsyncIterator()
    for number in 1...2 {
      await clock.waitForSleeper()
      await clock.waitForSleeper()
      clock.advance(by: .seconds(60))
      #expect(await numbers.next() == number)
    }
    #expect(await tree.shutdown().unfinishedTasks.isEmpty)
  }

  @Test("ends the wait of a cancelled task")
  func cancelled() async {
    let clock = TestClock()
    let waiting = Task { await clock.waitForSleeper() }
    waiting.cancel()
    await waiting.value
    #expect(clock.deadlines.isEmpty)
  }
}

@Suite("A driven tree on the main actor")
@MainActor
struct MainActorDrivingTests {
  /// Starts unbound work from outside the main actor, to which a closure in the test would belong.
  private nonisolated final class WorkingInteractor: Interactor {
    override func didBecomeActive() {
      super.didBecomeActive()
      task("work", overlap: .concurrent) {}
    }
  }

  @Test("runs where its test runs")
  func mainActor() {
    let test = TestTree(recording: .tasks)
    test.launch(interactor: WorkingInteractor())
    test.settle()
    test.expect("Working task work started\nWorking task work ended")
    test.finish()
  }
}
