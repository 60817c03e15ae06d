// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting
import Testing

@Suite("A settled stream")
struct SettledTests {
  private let test = TestTree(recording: [])
  private let interactor = Scripted.Interactor()
  private let relay = BehaviorRelay(value: 0)
  private let seen = PublishRelay<Int>()
  private let recorder: StreamRecorder<Int>

  init() {
    recorder = StreamRecorder(seen)
    test.launch(interactor: interactor)
  }

  private func subscribe(onCompleted: (() -> Void)? = nil) -> any Disposable {
    relay.asObservable().settled(in: interactor).subscribe(onNext: seen.accept, onCompleted: onCompleted)
  }

  @Test("delivers the newest element of each turn, after the turn")
  func turns() {
    subscribe().disposeOnDeactivate(interactor: interactor)
    #expect(recorder.values == [])
    test.settle()
    #expect(recorder.values == [0])
    for value in 1...3 { relay.accept(value) }
    #expect(recorder.values == [0])
    test.settle()
    #expect(recorder.values == [0, 3])
    interactor.task { [relay] in
      for value in 4...6 { relay.accept(value) }
      await Task.yield()
      relay.accept(7)
    }
    test.settle()
    #expect(recorder.values == [0, 3, 6, 7])
    test.finish()
  }

  @Test("delivers the newest element of turns that wait for the tree already, once")
  func waitingTurns() {
    subscribe().disposeOnDeactivate(interactor: interactor)
    test.settle()
    for value in 1...3 { interactor.task { [relay] in relay.accept(value) } }
    test.settle()
    #expect(recorder.values == [0, 3])
    test.finish()
  }

  @Test("delivers what its own delivery changes in the next turn")
  func reentrant() {
    relay.asObservable().settled(in: interactor)
      .subscribe(onNext: { [relay, seen] value in
        seen.accept(value)
        if value < 3 { relay.accept(value + 1) }
      })
      .disposeOnDeactivate(interactor: interactor)
    test.settle()
    #expect(recorder.values == [0, 1, 2, 3])
    test.finish()
  }

  @Test("delivers the pending element before it completes, and nothing after its disposal or the end of the tree")
  func ending() {
    let source = PublishRelay<Int>()
    let taken = source.asObservable().take(2).settled(in: interactor)
    taken.subscribe(onNext: seen.accept, onCompleted: { [seen] in seen.accept(-1) })
      .disposeOnDeactivate(interactor: interactor)
    source.accept(1)
    source.accept(2)
    test.settle()
    #expect(recorder.values == [2, -1])
    let token = subscribe()
    token.dispose()
    test.settle()
    #expect(recorder.values == [2, -1])
    _ = subscribe()
    test.tree?.end()
    test.settle()
    #expect(recorder.values == [2, -1])
    test.finish()
  }

  @Test("releases subscriptions that have ended, by themselves and by disposal")
  func releasing() {
    let population = Population()
    for round in 0..<50 {
      for number in 0..<100 {
        let tracked = Tracked(number, in: population)
        let stream = Observable.just(tracked).settled(in: interactor)
        let token = stream.subscribe(onNext: { [tracked] _ in _ = tracked })
        if number % 2 == 0 { token.disposeOnDeactivate(interactor: interactor) } else { token.dispose() }
      }
      test.settle()
      #expect(population.count < 200, "round \(round)")
    }
    test.finish()
  }

  @Test("delivers in a later tree, although an element was pending when the earlier one ended")
  func laterTree() {
    let token = subscribe()
    test.settle()
    relay.accept(1)
    test.tree?.end()
    test.finish()
    let later = TestTree(recording: [])
    later.launch(interactor: interactor)
    relay.accept(2)
    later.settle()
    #expect(recorder.values == [0, 2])
    token.dispose()
    later.finish()
  }

  @Test("delivers at once outside a tree")
  func outside() {
    let lone = Scripted.Interactor()
    let token = relay.asObservable().settled(in: lone).subscribe(onNext: seen.accept)
    relay.accept(5)
    #expect(recorder.values == [0, 5])
    token.dispose()
    test.finish()
  }

}

@Suite("A settled stream of a host")
struct SettledHostTests {
  @Test("gives a reader outside the tree no intermediate state")
  func reader() async throws {
    let host = await TreeHost { Scripted.StateRouter() }
    let states = host.values { $0.interactor.state.asObservable().settled(in: $0.interactor) }
    async let last: Bool = {
      for await state in states {
        #expect(state.0 == state.1)
        if state.0 == 1_000 { return true }
      }
      return false
    }()
    for number in 1...1_000 {
      try await host.perform { root in
        let state = root.interactor.state
        state.accept((number, state.value.1))
        state.accept((number, number))
      }
    }
    #expect(await last)
    await host.shutdown()
  }
}

extension Scripted {
  fileprivate final class StateInteractor: RIBs.Interactor {
    let state = BehaviorRelay(value: (0, 0))
  }

  fileprivate final class StateRouter: RIBs.Router<StateInteractor> {
    init() { super.init(interactor: StateInteractor()) }
  }
}
