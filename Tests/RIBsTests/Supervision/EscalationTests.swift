// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import RIBs
import RIBsLists
import RIBsTesting
import Testing

@Suite("A failure that is not answered by a restart", .folded)
struct EscalationTests {
  private let world = SupervisedWorld()
  private let test = TestTree(recording: [.failures, .attachments])

  private func launch(_ restarts: Restarts = .never) -> SupervisedRouter {
    let root = test.launch(SupervisedRouter("root", restarts, world))
    root.slot.route = "a"
    root.child("a")?.slot.route = "b"
    root.child("a")?.child("b")?.slot.route = "c"
    test.skip()
    world.write = { [transcript = test.transcript] in transcript.write($0) }
    return root
  }

  private func fail(_ root: SupervisedRouter, _ names: String...) {
    names.reduce(root as SupervisedRouter?) { $0?.child($1) }?.interactor.fail(Failure())
  }

  @Test("stops at the parent that answers, which learns who failed, and the rest stays")
  func answered() throws {
    let root = launch()
    let child = try #require(root.child("a"))
    child.interactor.answer = { [test] failure in
      test.transcript.write("\(failure.path) because of \(failure.source): \(failure.error)")
      child.slot.route = "other"
    }
    fail(root, "a", "b", "c")
    #expect(root.interactor.isActive && child.childNames == ["other"])
    #expect(
      test.transcript.lines.contains(
        "Supervised/Supervised/Supervised because of Supervised/Supervised/Supervised/Supervised: Failure"))
    test.skip()
    world.write = nil
    test.finish(expecting: "tree ended")
  }

  @Test("reaches the next level when a level has reached its limit: restarts multiply")
  func multiplied() throws {
    let root = launch(.upTo(2, within: .seconds(600), after: .exponential(from: .seconds(1), jitter: 0)))
    var builds = 0
    world.onBuild = { router in if router.name == "c" { builds += 1 } }
    var rounds = 0
    while root.interactor.isActive, rounds < 100 {
      rounds += 1
      if root.slot.child != nil, root.child("a")?.slot.route == nil { root.child("a")?.slot.route = "b" }
      if let b = root.child("a")?.child("b"), b.slot.route == nil { b.slot.route = "c" }
      fail(root, "a", "b", "c")
      test.advance(by: .seconds(10))
    }
    // Three lives of c in each life of b, three of b in each of a, three of a in that of the root.
    #expect(rounds == 27)
    #expect(builds == 26)
    test.skip()
    test.finish()
  }

  @Test("counts the restarts of each level, and reports those of the last limit, also if it is passed on later")
  func restartsOfLevels() async throws {
    let journal = Journal()
    let clock = TestClock()
    let host = await TreeHost(
      configuration: TreeConfiguration(
        clock: clock, leakDetection: .off, onFailure: { journal.write("in all \($0.restarts), \($0.path)") })
    ) {
      let world = SupervisedWorld()
      world.write = { journal.write($0) }
      let root = SupervisedRouter("root", .never, world)
      let restarts = Restarts.upTo(1, within: .seconds(600), after: .exponential(from: .seconds(1), jitter: 0))
      // Only the lowest container restarts its child.
      let child = SupervisedRouter("child", restarts, world)
      root.attachChild(child)
      child.slot.route = "a"
      root.interactor.answer = { [unowned root] failure in
        journal.write("child made \(failure.restarts)")
        root.interactor.pass(failure)
      }
      child.interactor.answer = { [unowned child] failure in
        journal.write("a made \(failure.restarts)")
        // It decides to pass the failure on, but later.
        child.interactor.task { child.interactor.pass(failure) }
      }
      return root
    }
    let fail: @Sendable (SupervisedRouter) -> Void = { $0.child("child")?.child("a")?.interactor.fail(Failure()) }
    try await host.perform(fail)
    await clock.advanceSleeper(by: .seconds(1))
    await journal.wait(for: "a active", count: 2)
    try await host.perform(fail)
    await journal.wait(for: "in all 1, Supervised/Supervised/Supervised")
    #expect(journal.lines.filter { $0.contains(" made ") } == ["a made 1", "child made 0"])
    await host.shutdown()
  }

  /// What of a RIB can fail.
  enum Kind: CaseIterable {
    case task, run, worker, workflow, preparedChild, pager, stream, timeout
  }

  @Test(
    "of each kind of work fails its RIB under a container that restarts children, and is only reported without one",
    arguments: Kind.allCases, [false, true])
  func kinds(_ kind: Kind, isSupervised: Bool) {
    let test = TestTree(recording: [.failures])
    let restarts = Restarts.upTo(1, within: .seconds(60), after: .exponential(from: .seconds(1), jitter: 0))
    let root = test.launch(SupervisedRouter("root", isSupervised ? restarts : .never, SupervisedWorld()))
    root.slot.route = "a"
    start(kind, below: root.child("a"), test)
    test.advance(by: .milliseconds(500))
    guard isSupervised else {
      #expect(root.childNames == ["a"])
      return test.finish()
    }
    #expect(test.transcript.lines.count == 1)
    let error = kind == .task ? "Failure" : ""
    #expect(test.transcript.lines.first?.hasPrefix("Supervised/Supervised/Interactor failed: \(error)") == true)
    test.skip()
    #expect(root.childNames.isEmpty)
    test.advance(by: .seconds(1))
    test.expect("Supervised/Supervised restarted 1 of 1")
    test.finish()
  }

  /// Starts work of a new child.
  private func start(_ kind: Kind, below parent: SupervisedRouter?, _ test: TestTree) {
    let router = Router(interactor: Interactor())
    let interactor = router.interactor
    parent?.attachChild(router)
    let clock = test.clock
    switch kind {
    case .task: interactor.task { throw Failure() }
    case .run: interactor.run({ throw Failure() }, then: { () in })
    case .worker:
      let worker = ScriptedWorker()
      worker.onStart = { worker in worker.task { throw Failure() } }
      worker.start(interactor)
    case .workflow:
      let workflow = Workflow<Interactor>()
      _ = workflow.onStep { (_: Interactor) async throws -> (Interactor, Void) in throw Failure() }.commit()
        .subscribe(interactor)
    case .preparedChild: router.attach(preparing: { () async throws -> sending Router<Interactor> in throw Failure() })
    case .pager:
      let pager = Pager<Int>(of: interactor) { _ in throw Failure() }
      _ = pager.loadMore()
    case .stream:
      let stream = AsyncThrowingStream<Int, any Error> { $0.finish(throwing: Failure()) }
      interactor.task { for try await _ in stream {} }
    case .timeout: interactor.task(timeout: .milliseconds(100)) { try await clock.sleep(for: .seconds(10)) }
    }
  }

  @Test("ends the tree, and says so to onFailure and to onEnd")
  func host() async throws {
    let journal = Journal()
    let host = await TreeHost(
      configuration: TreeConfiguration(
        name: "order-17", leakDetection: .off, onFailure: { journal.write("\($0)") },
        onEnd: { journal.write("\($0)") })
    ) {
      SupervisedRouter("root", .never, SupervisedWorld())
    }
    try await host.perform { root in
      root.slot.route = "a"
      root.child("a")?.interactor.fail(Failure())
    }
    #expect(await host.ended.description == "order-17:Supervised/Supervised failed: Failure")
    await host.shutdown()
    journal.expect(
      "order-17:Supervised/Supervised failed: Failure",
      "RIBs: order-17:Supervised/Supervised failed: Failure. The tree has ended, because no RIB above answered. "
        + "Give the container of the RIB restarts, or override childDidFail(_:) in its parent.")
  }

  @Test("of a RIB that is not active is ignored, with a warning that has the error")
  func inactive() {
    let router = SupervisedRouter("alone", .never, world)
    let misuses = recordMisuses { router.interactor.fail(Failure()) }
    #expect(misuses.map(\.kind) == [.failedWhileInactive])
    #expect(misuses.first?.severity == .warning)
    #expect(misuses.first?.message.contains("Failure") == true)
  }

  @Test("goes up a tree of any depth on a small stack")
  func deep() async {
    let end = await SmallStage(stackSize: 128 << 10).run { _ in
      let end = Shared<TreeEnded.Reason?>(nil)
      let depth = Thoroughness.count(usual: 30_000, share: 100_000, whole: 100_000)
      let (root, last) = (Router(interactor: Interactor()), Router(interactor: Interactor()))
      root.attachChain((1..<depth).map { _ in Router(interactor: Interactor()) } + [last])
      let configuration = TreeConfiguration(
        leakDetection: .off, onFailure: { _ in }, onEnd: { reason in end.value = reason })
      let tree = Tree(root: root, configuration: configuration)
      tree.launch()
      last.interactor.fail(Failure())
      #expect(!last.interactor.isActive)
      return end.value
    }
    #expect(end?.description.hasSuffix(" failed: Failure") == true)
  }
}
