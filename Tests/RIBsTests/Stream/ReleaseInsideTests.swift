// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import Testing

@Suite("A deinit of a delivered value")
struct ReleaseInsideTests {
  @Test("may bind to the scope or bag that releases it with an ended subscription")
  func sweeping() {
    let bag = DisposeBag()
    let interactor = ProbeInteractor("scope")
    interactor.activate()
    var farewells = 0
    for _ in 0..<40 {
      let relay = BehaviorRelay(
        value: Goodbye {
          farewells += 1
          guard farewells <= 40 else { return }
          Disposables.create().disposed(by: bag)
          Disposables.create().disposeOnDeactivate(interactor: interactor)
        })
      relay.subscribe(onNext: { _ in }).disposed(by: bag)
      relay.subscribe(onNext: { _ in }).disposeOnDeactivate(interactor: interactor)
    }
    #expect(farewells > 0)
  }

  @Test("may send more values to the loop that has released it")
  @MainActor
  func looping() async {
    let relay = PublishRelay<Goodbye?>()
    var iterator = relay.asObservable().values.makeAsyncIterator()
    for _ in 0..<3 { relay.accept(Goodbye { relay.accept(nil) }) }
    var received: [Bool] = []
    for _ in 0..<6 { received.append(await iterator.next(isolation: #isolation)?.map { _ in true } ?? false) }
    #expect(received == [true, true, true, false, false, false])
  }
}
