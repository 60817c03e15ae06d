// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting
import Testing

private protocol RootActionableItem: InteractorScope {
  func logIn() -> Observable<(any LoggedInActionableItem, String)>
}

private protocol LoggedInActionableItem: InteractorScope {
  func openRide(_ id: Int) async throws -> (any LoggedInActionableItem, Int)?
}

private final class RootItemDouble: InteractableDouble, RootActionableItem {
  let login = PublishRelay<(any LoggedInActionableItem, String)>()

  func logIn() -> Observable<(any LoggedInActionableItem, String)> {
    record()
    return login.asObservable()
  }
}

private final class LoggedInItemDouble: InteractableDouble, LoggedInActionableItem {
  func openRide(_ id: Int) async throws -> (any LoggedInActionableItem, Int)? {
    record(id)
    return id > 0 ? (self, id) : nil
  }
}

private final class RideWorkflow: Workflow<any RootActionableItem> {
  init(ride: Int) {
    super.init()
    onStep { root in await root.logIn().first() }
      .onStep { loggedIn, _ in try await loggedIn.openRide(ride) }
      .commit()
  }
}

@Suite("A workflow alone")
struct WorkflowAloneTests {
  private let test = TestTree(recording: [.tasks, .workflows, .calls, .time])

  @Test("is run step by step by activating doubles")
  func stepByStep() {
    let (root, loggedIn) = (RootItemDouble(in: test.transcript), LoggedInItemDouble(in: test.transcript))
    test.start(RideWorkflow(ride: 7), with: root)
    test.settle()
    test.expect("RootItemDouble task RideWorkflow started")
    root.activate()
    test.settle()
    test.expect("RootItem.logIn()")
    root.login.accept((loggedIn, "Ada"))
    test.settle()
    test.expect("RootItemDouble RideWorkflow step ended")
    loggedIn.activate()
    test.settle()
    test.expect(
      """
      LoggedInItem.openRide(7)
      LoggedInItemDouble RideWorkflow step ended
      RootItemDouble task RideWorkflow ended
      """)
    test.finish()
  }

  @Test("runs into its timeout on the test's clock")
  func timeout() {
    test.start(RideWorkflow(ride: 7), with: RootItemDouble())
    test.skip()
    test.advance(by: .seconds(30))
    #expect(test.transcript.lines.contains { $0.contains("RideWorkflow step failed") })
    test.skip()
    test.finish()
  }

  @Test("records the value or the error of a step")
  func value() {
    let loggedIn = LoggedInItemDouble()
    loggedIn.activate()
    let found = [7, 0].map { id in
      test.start(
        Workflow<any LoggedInActionableItem>().onStep { item in try await item.openRide(id) }, with: loggedIn)
    }
    #expect(found[0].value == nil)
    test.settle()
    #expect(found[0].value == 7 && found[0].failure == nil)
    #expect(found[1].value == nil && found[1].failure is WorkflowError)
    test.skip()
    test.finish()
  }
}
