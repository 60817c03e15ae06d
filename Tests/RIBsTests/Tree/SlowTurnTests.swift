// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import RIBs
import RIBsTesting
import Testing

@Suite("A limit on the turns of a tree")
struct SlowTurnTests {
  private let clock = TestClock()
  private let journal = Journal()
  private let gate = Gate()

  /// A host that writes each slow turn, without the advice.
  private func makeHost(
    limit: Duration? = .milliseconds(100),
    _ build: @escaping @Sendable () -> Scripted.RootRouter = Scripted.RootRouter.init
  ) async -> TreeHost<Scripted.RootRouter> {
    let configuration = TreeConfiguration(
      name: "order-17", clock: clock, leakDetection: .off, turnLimit: limit,
      onSlowTurn: { [journal] turn in
        let resigned = turn.resigned.map { ", \($0)" } ?? ""
        journal.write("\(turn.path): \(turn.work), \(turn.duration)\(resigned)")
      })
    return await TreeHost(configuration: configuration, build: build)
  }

  /// Takes time on the tree.
  private func compute(_ duration: Duration = .seconds(1)) { clock.advance(by: duration) }

  private var reports: [String] { journal.lines.filter { $0 != "begun" && $0 != "done" } }

  @Test("names a call, at its end, also one that throws", arguments: [false, true])
  func call(isThrowing: Bool) async throws {
    let host = await makeHost()
    let line = #line + 2
    do {
      try await host.perform { [journal, clock] _ in
        clock.advance(by: .seconds(1))
        #expect(journal.lines.isEmpty)
        if isThrowing { throw Failure() }
      }
      #expect(!isThrowing)
    } catch is Failure {}
    #expect(reports == ["order-17:Root: perform (SlowTurnTests.swift:\(line)), 1.0 seconds"])
    await host.shutdown()
  }

  /// Takes time on the tree before and after it waits for the gate.
  private nonisolated(nonsending) func computeTwice() async {
    compute(.seconds(1))
    journal.write("begun")
    await gate.pass()
    compute(.seconds(2))
    journal.write("done")
  }

  @Test("names each step of bound work, by its own time and RIB", arguments: [false, true])
  func steps(hasCaptureList: Bool) async throws {
    let host = await makeHost()
    let line = #line + (hasCaptureList ? 5 : 7)
    try await host.perform { root in
      let child = Scripted.ChildRouter()
      root.attachChild(child)
      if hasCaptureList {
        child.interactor.task("index", overlap: .concurrent) { [self] in await computeTwice() }
      } else {
        child.interactor.task("index", overlap: .concurrent) { await computeTwice() }
      }
    }
    await journal.wait(for: "begun")
    // On the tree, which the work has left by then: work that finds the gate open does not wait, and continues its turn.
    try await host.perform { _ in gate.open() }
    await journal.wait(for: "done")
    await host.shutdown()
    let name = "order-17:Root/Child: index (SlowTurnTests.swift:\(line))"
    #expect(reports == ["\(name), 1.0 seconds", "\(name), 2.0 seconds"])
  }

  @Test("names the result of work off the tree, and its failure")
  func results() async throws {
    let host = await makeHost()
    let journal = journal
    let line = #line + 6
    try await host.perform { root in
      root.interactor.onFail = { _ in
        compute(.seconds(2))
        journal.write("done")
      }
      root.interactor.run({ 1 }) { _ in
        compute()
        root.interactor.run({ throw Failure() }) { _ in }
      }
    }
    await journal.wait(for: "done")
    await host.shutdown()
    let name = "order-17:Root: SlowTurnTests.swift:"
    #expect(reports == ["\(name)\(line), 1.0 seconds", "\(name)\(line + 2), 2.0 seconds"])
  }

  @Test("names the launch, the end, and the RIB that takes longest to resign")
  func ends() async throws {
    let host = await makeHost { [clock] in
      let root = Scripted.RootRouter()
      let (one, other) = (Scripted.ChildRouter(), Scripted.LeafRouter())
      one.interactor.onResign = { _ in clock.advance(by: .seconds(3)) }
      other.interactor.onResign = { _ in clock.advance(by: .seconds(1)) }
      root.interactor.onActive = { _ in clock.advance(by: .seconds(2)) }
      root.attachChild(one)
      root.attachChild(other)
      return root
    }
    await host.shutdown()
    #expect(
      reports == [
        "order-17:Root: the launch, 2.0 seconds",
        "order-17:Root: the end of the tree, 4.0 seconds, order-17:Root/Child",
      ])
  }

  @Test("leaves out turns within the limit, and measures none without one")
  func quick() async throws {
    for limit in [Duration.seconds(1), nil] {
      let host = await makeHost(limit: limit)
      try await host.perform { root in
        compute(limit ?? .seconds(60))
        root.interactor.task {
          compute(limit ?? .seconds(60))
          journal.write("done")
        }
      }
      await journal.wait(for: "done")
      await host.shutdown()
    }
    #expect(reports.isEmpty)
  }

  @Test("measures the bound work of a tree on an actor that the program owns")
  @MainActor
  func mainActor() async {
    let root = Scripted.RootRouter()

    let (slow, report) = AsyncStream<TreeConfiguration.SlowTurn>.makeStream()
    let tree = Tree.launched(
      root, TreeConfiguration(clock: clock, turnLimit: .zero, onSlowTurn: { report.yield($0) }))
    let line = #line + 1
    root.interactor.task { compute() }
    let turn = await first(of: slow)
    tree.end()
    #expect(
      turn?.description == """
        RIBs: Root: SlowTurnTests.swift:\(line) occupied the tree for 1.0 seconds; the limit is 0.0 seconds. \
        Move code that computes or blocks off the tree, with run or inParallel.
        """)
  }

  @Test("answers calls while two tasks resume each other without end", .timeLimit(.minutes(15)))
  func busyTasks() async throws {
    for limit in [nil, Duration.seconds(600)] {
      let host = await makeHost(limit: limit)
      try await host.perform { root in
        let isStopped = BehaviorRelay(value: false)
        root.attachment = isStopped
        for _ in 0..<2 { root.interactor.task { while !isStopped.value { await Task.yield() } } }
      }
      try await host.perform { root in (root.attachment as? BehaviorRelay<Bool>)?.accept(true) }
      await host.shutdown()
    }
  }
}
