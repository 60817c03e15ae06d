// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting
import Testing

@Suite("A relay")
struct DeliveryTests {
  @Test("completes for current and later subscribers when it is released")
  func release() {
    var relay: BehaviorRelay<Int>? = BehaviorRelay(value: 1)
    guard let stream = relay?.asObservable() else { return }
    let one = StreamRecorder(stream)
    let other = StreamRecorder(stream)
    other.stop()
    relay?.accept(2)
    relay = nil
    one.expect(1, 2)
    #expect(one.hasEnded)
    other.expect(1)
    #expect(!other.hasEnded)
    let late = StreamRecorder(stream)
    late.expect(2)
    #expect(late.hasEnded)
  }

  @Test("does not notify a subscriber of its end that another one's reaction has disposed of", arguments: [0, 1, 2])
  func disposalByCompletion(_ disposed: Int) {
    var relay: PublishRelay<Int>? = PublishRelay()
    var log: [Int] = []
    var subscriptions: [any Disposable] = []
    for index in 0..<3 {
      let subscription = relay?.subscribe(
        onNext: { _ in },
        onCompleted: {
          log.append(index)
          if index == 1 { subscriptions[disposed].dispose() }
        })
      if let subscription { subscriptions.append(subscription) }
    }
    relay = nil
    #expect(log == (disposed == 2 ? [0, 1] : [0, 1, 2]))
  }

  @Test("can be released by its own delivery, and ends after it")
  func releaseByDelivery() {
    var relay: PublishRelay<Int>? = PublishRelay()
    guard let stream = relay?.asObservable() else { return }
    let first = StreamRecorder(stream) { _ in
      relay?.accept(2)
      relay = nil
    }
    let second = StreamRecorder(stream)
    relay?.accept(1)
    first.expect(1, 2)
    second.expect(1, 2)
    #expect(first.hasEnded && second.hasEnded)
  }

  @Test("may be used by the deinit of one of its values")
  func releaseOfValue() {
    let relay = BehaviorRelay<Goodbye?>(value: nil)
    var log: [String] = []
    relay.accept(Goodbye { log.append("gone: \(relay.value == nil)") })
    relay.accept(nil)
    #expect(log == ["gone: true"])
  }

  @Test("may be used by the release of one of its subscriptions")
  func releaseOfSubscription() {
    let relay = PublishRelay<Int>()
    var log: [String] = []
    let doomed = relay.subscribe(onNext: { _ in })
    var goodbye: Goodbye? = Goodbye {
      doomed.dispose()
      log.append("gone")
    }
    let subscription = relay.subscribe(onNext: { _ in }, onCompleted: { [goodbye] in _ = goodbye })
    goodbye = nil
    let others = (0..<8).map { _ in relay.subscribe(onNext: { _ in }) }
    subscription.dispose()
    for other in others { other.dispose() }
    #expect(log == ["gone"])
  }

  @Test("is unsubscribed from when a bag is released, last added first")
  func bag() {
    var log: [Int] = []
    var bag: DisposeBag? = DisposeBag()
    if let bag {
      for index in 0..<40 { Disposables.create { log.append(index) }.disposed(by: bag) }
    }
    #expect(log.isEmpty)
    bag = nil
    #expect(log == (0..<40).reversed())
    let several = Disposables.create(Disposables.create { log = [1] }, Disposables.create { log.append(2) })
    several.dispose()
    several.dispose()
    #expect(log == [1, 2])
  }
}
