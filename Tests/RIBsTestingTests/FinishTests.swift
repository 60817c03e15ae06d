import RIBs
import RIBsTesting
import Testing

@Suite("The end of a test")
struct FinishTests {
  private let test = TestTree(recording: [])

  @Test("ends what sleeps, what waits for a value, and what waits for others")
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

  @Test("fails for work that does not heed its cancellation, by its path and by where it was started")
  func stubbornWork() {
    let (root, child) = (test.launch(Scripted.RootRouter()), Scripted.ChildRouter())
    root.attachChild(child)
    let (stream, end) = AsyncStream<Void>.makeStream()
    let line: UInt = #line + 1
    child.interactor.run(
      "poll", overlap: .enqueue, { await Task.detached { for await _ in stream {} }.value }, then: {})
    root.detachChild(child)
    let found = failures { test.finish() }
    #expect(
      found == [
        """
        This still runs although its RIB has resigned: Root/Child: poll (FinishTests.swift:\(line)).
        It does not heed its cancellation, or waits for something that the test does not drive. \
        Let it look at Task.isCancelled, or throw what its calls throw; answer what it waits for; \
        or wait for it with settle(until:) before finish().
        """
      ])
    end.finish()
  }

  @Test("is a failure if the tree was not finished")
  func unfinished() {
    let found = failures {
      let test = TestTree()
      test.launch(Scripted.RootRouter())
    }
    #expect(
      found == [
        """
        The test is over, and its tree was not finished.
        Call finish() last, so that what outlives the tree is found.
        """
      ])
  }

  @Test("needs no finish() of a tree that was not launched")
  func unlaunched() {
    #expect(failures { _ = TestTree() }.isEmpty)
  }

  @Test("lets go of the tree")
  func released() {
    weak var interactor: Interactor?
    do {
      let root = test.launch(Scripted.RootRouter())
      interactor = root.interactor
    }
    test.finish()
    #expect(interactor == nil)
  }
}

@Suite("A test tree that is used in a wrong way")
struct WrongUseTests {
  private let test = TestTree(recording: [])

  @Test("says that it has one root")
  func second() {
    test.launch(Scripted.RootRouter())
    #expect(failures { test.launch(Scripted.RootRouter()) }.first?.hasPrefix("A second router was launched.") == true)
    test.finish()
  }

  @Test("says that only routers are launched")
  func noRouter() {
    #expect(
      failures { test.launch("Root") } == ["String can't be launched: it is no router.\nHand over a router of the RIB."]
    )
  }
}
