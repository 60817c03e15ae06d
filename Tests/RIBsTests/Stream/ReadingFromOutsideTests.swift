// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting
import Testing

@Suite("Values that are read outside the tree", .timeLimit(.minutes(15)))
struct ReadingFromOutsideTests {
  /// The causes that end the sequence.
  enum Ending: CaseIterable {
    case stream, resignation, detachment, tree
  }

  @Test(
    "end with their stream, scope or tree, after all delivered values",
    arguments: Ending.allCases)
  func ending(_ ending: Ending) async {
    let test = TestTree(recording: [])
    let root = test.launch(Scripted.RootRouter())
    let child = Scripted.ChildRouter()
    child.expectsReattachment = true
    root.attachChild(child)
    var relay: BehaviorRelay<Int>? = BehaviorRelay(value: 1)
    guard let values = relay?.values(boundTo: child.interactor) else { return }
    child.interactor.onResign = { _ in relay?.accept(3) }
    relay?.accept(2)
    switch ending {
    case .stream: relay = nil
    case .resignation: child.interactor.deactivate()
    case .detachment: root.detachChild(child)
    case .tree: test.tree?.end()
    }
    relay?.accept(4)
    #expect(await values.all() == (ending == .stream ? [1, 2] : [1, 2, 3]))
    test.finish()
  }

  @Test("end with the worker that they are bound to")
  func worker() async {
    let test = TestTree(recording: [])
    let worker = ScriptedWorker()
    test.launch(worker: worker)
    let relay = BehaviorRelay(value: 1)
    let values = relay.values(boundTo: worker)
    worker.stop()
    relay.accept(2)
    #expect(await values.all() == [1])
    test.finish()
  }

  @Test("leave the actor of their tree, and end with it")
  func host() async throws {
    let host = await TreeHost { Router(interactor: FareInteractor()) }
    let fares = try await host.perform { root in root.interactor.fares() }
    try await host.perform { root in root.interactor.fare.accept(2) }
    await host.shutdown()
    #expect(await fares.all() == [1, 2])
  }

  @Test("are empty for an inactive interactor or worker, which is reported")
  func inactive() async {
    let relay = BehaviorRelay(value: 1)
    var all: [AsyncStream<Int>] = []
    let reported = misuses {
      all = [relay.values(boundTo: Scripted.Interactor()), relay.values(boundTo: ScriptedWorker())]
    }
    #expect(reported == [.subscriptionWhileInactive, .subscriptionWhileInactive])
    for values in all { #expect(await values.all() == []) }
  }

  @Test("are dropped according to the policy")
  func buffering() async {
    let interactor = Scripted.Interactor()
    interactor.activate()
    let relay = BehaviorRelay(value: 0)
    let values = relay.values(boundTo: interactor, bufferingPolicy: .bufferingNewest(2))
    for number in 1...9 { relay.accept(number) }
    interactor.deactivate()
    #expect(await values.all() == [8, 9])
  }

  @Test("are unsubscribed from when the reader has left: with the next value, or when the scope binds more")
  func leaving() {
    let interactor = Scripted.Interactor()
    interactor.activate()
    let relay = PublishRelay<Int>()
    var subscribed = 0
    let source = relay.watched { subscribed += $0 }
    for _ in 0..<10 { _ = source.values(boundTo: interactor) }
    #expect(subscribed == 10)
    relay.accept(1)
    #expect(subscribed == 0)
    for _ in 0..<1_000 { _ = source.values(boundTo: interactor) }
    #expect(subscribed < 50)
    let kept = source.values(boundTo: interactor)
    relay.accept(2)
    #expect(subscribed == 1)
    interactor.deactivate()
    #expect(subscribed == 0)
    withExtendedLifetime(kept) {}
  }
}

extension AsyncStream<Int> {
  /// The values up to the end.
  fileprivate func all() async -> [Int] { await reduce(into: []) { $0.append($1) } }
}

private final class FareInteractor: Interactor {
  let fare = BehaviorRelay(value: 1)

  func fares() -> AsyncStream<Int> { fare.values(boundTo: self) }
}
