// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting
import Testing

@Suite("The end of a test")
struct FinishTests {
  private let test = TestTree(recording: [])

  @Test("ends work that sleeps, waits for a value or waits for other work")
  func ends() {
    let root = test.launch(Scripted.RootRouter())
    let relay = BehaviorRelay(value: 1)
    root.interactor.task { [clock = test.clock] in try await clock.sleep(for: .seconds(1)) }
    root.interactor.task { for await _ in relay.values {} }
    root.interactor.run({ [clock = test.clock] in try await clock.sleep(for: .seconds(1)) }, then: {})
    test.settle()
    #expect(test.runningWork.count == 3)
    test.finish()
    #expect(test.runningWork.isEmpty)
  }

  @Test("fails for work that ignores its cancellation, with its path and call site")
  func stubbornWork() {
    let (root, child) = (test.launch(Scripted.RootRouter()), Scripted.ChildRouter())
    child.expectsReattachment = true
    root.attachChild(child)
    let (stream, end) = AsyncStream<Void>.makeStream()
    let line: UInt = #line + 1
    child.interactor.run(
      "poll", overlap: .enqueue, { await Task.detached { for await _ in stream {} }.value }, then: {})
    test.settle()
    root.detachChild(child)
    expectFailure(
      """
      Bound work continues although its RIB has resigned: Root/Child: poll (FinishTests.swift:\(line)).
      It ignores its cancellation, or waits for something that the test does not drive. \
      Check Task.isCancelled in it, or rethrow what its calls throw; answer what it waits for; \
      or wait for it with settle(until:) before finish().
      """
    ) { test.finish() }
    end.finish()
  }

  @Test("is a failure if the tree was not finished")
  func unfinished() {
    expectFailure(
      """
      The test has ended without finishing its tree.
      Call finish() last, to find what outlives the tree.
      """
    ) {
      let test = TestTree()
      test.launch(Scripted.RootRouter())
    }
  }

  @Test("needs no finish() of a tree that was not launched")
  func unlaunched() {
    #expect(failures { _ = TestTree() }.isEmpty)
  }

  @Test("releases the tree")
  func released() {
    weak var interactor: Interactor?
    do { interactor = test.launch(Scripted.RootRouter()).interactor }
    test.finish()
    #expect(interactor == nil)
  }

  @Test("ends the timer that looks for leaks")
  func timer() {
    weak var clock: TestClock?
    do {
      let test = TestTree(recording: [])
      clock = test.clock
      test.launch(Scripted.RootRouter())
      test.finish()
    }
    #expect(clock == nil)
  }
}

@Suite("Misuse of a test tree")
struct WrongUseTests {
  private let test = TestTree(recording: [])

  @Test("is reported for a second root")
  func second() {
    test.launch(Scripted.RootRouter())
    #expect(failures { test.launch(Scripted.RootRouter()) }.first?.hasPrefix("A second router was launched.") == true)
    test.finish()
  }

  @Test("is reported for a root that is not a router")
  func noRouter() {
    #expect(
      failures { test.launch("Root") } == ["String can't be launched: it is not a router.\nPass the RIB's router."]
    )
  }
}

@Suite("A leak in a test")
struct LeakTests {
  private final class HoldingInteractor: Interactor {
    var kept: AnyObject?
  }

  private final class HoldingRouter: Router<HoldingInteractor> {
    init() { super.init(interactor: HoldingInteractor()) }

    /// Attaches and detaches a child, which optionally retains itself.
    func passChild(leaking: Bool) {
      let child = Scripted.ChildRouter()
      if leaking { child.interactor.onActive = { _ in _ = child } }
      attachChild(child)
      detachChild(child)
    }
  }

  private let test = TestTree(recording: [])

  @Test("fails the test at its end, with the path of the RIB")
  func atTheEnd() {
    test.launch(HoldingRouter()).passChild(leaking: true)
    expectFailure(
      """
      RIBs: Holding/Child (#2): ChildRouter is still alive 0.0 seconds after its RIB has resigned for good. \
      Look for a property that was not set to nil, and for a closure that captures it; \
      set expectsReattachment if it is kept on purpose.
      If the test has a reference to it, release it before finish(), or take it with takeLeaks().
      """
    ) { test.finish() }
  }

  @Test("is not reported for released RIBs, nor for those in the tree at its end")
  func none() {
    let root = test.launch(HoldingRouter())
    root.passChild(leaking: false)
    let child = Scripted.ChildRouter()
    root.attachChild(child)
    test.finish()
    #expect(test.clock.deadlines.isEmpty)
    withExtendedLifetime(child) {}
  }

  @Test("is recorded in the transcript after the delay")
  func inTime() {
    test.launch(HoldingRouter()).passChild(leaking: true)
    test.advance(by: .seconds(5))
    test.expect("Holding/Child leaked: ChildRouter")
    test.finish()
  }

  @Test("can be taken as a value at any time")
  func taken() {
    test.launch(HoldingRouter()).passChild(leaking: true)
    #expect(test.takeLeaks().map(\.type) == ["ChildRouter"])
    test.finish()
  }
}
