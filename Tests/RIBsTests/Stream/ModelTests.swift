// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import TestSupport
import Testing

@Suite("Relays under random programs")
struct ModelTests {
  /// A relay, its subscribers with their reactions, and a model of the values that each should receive.
  ///
  /// In the model, a subscriber receives each value accepted after its subscription and delivered before its
  /// disposal, preceded by the current value if the relay has one.
  private final class World {
    let current: BehaviorRelay<Int>?
    let relay = PublishRelay<Int>()
    var accepted = [0]
    var subscribers: [Subscriber] = []
    var random: SplitMix
    var budget = 40

    init(seed: UInt64, hasCurrent: Bool) {
      current = hasCurrent ? BehaviorRelay(value: 0) : nil
      random = SplitMix(seed)
    }

    func accept() {
      guard budget > 0 else { return }
      budget -= 1
      let value = accepted.count
      accepted.append(value)
      if let current { current.accept(value) } else { relay.accept(value) }
      if let current { #expect(current.value == accepted.count - 1) }
    }

    func subscribe() {
      guard budget > 0 else { return }
      budget -= 1
      let subscriber = Subscriber(first: accepted.count - (current == nil ? 0 : 1))
      subscribers.append(subscriber)
      let subscription = (current?.asObservable() ?? relay.asObservable()).subscribe(onNext: { [unowned self] value in
        #expect(!subscriber.isDisposed)
        subscriber.heard.append(value)
        react()
      })
      subscriber.subscription = subscription
      if subscriber.isDisposed { subscription.dispose() }
    }

    func dispose(_ index: Int) {
      guard !subscribers.isEmpty else { return }
      let subscriber = subscribers[index % subscribers.count]
      // During its first delivery, it has no subscription yet.
      guard let subscription = subscriber.subscription else { return }
      subscriber.isDisposed = true
      subscription.dispose()
    }

    func react() {
      switch random.below(8) {
      case 0, 1: accept()
      case 2: dispose(random.below(100))
      case 3: subscribe()
      default: break
      }
    }
  }

  private final class Subscriber {
    let first: Int
    var heard: [Int] = []
    var isDisposed = false
    var subscription: (any Disposable)?

    init(first: Int) { self.first = first }
  }

  @Test("deliver each value to every subscriber, once and in order", arguments: [true, false])
  func programs(hasCurrent: Bool) {
    for seed in 1...UInt64(3_000) {
      let world = World(seed: seed, hasCurrent: hasCurrent)
      for _ in 0..<20 {
        switch world.random.below(4) {
        case 0: world.subscribe()
        case 1: world.dispose(world.random.below(100))
        default: world.accept()
        }
      }
      for (index, subscriber) in world.subscribers.enumerated() {
        let all = Array(subscriber.first..<world.accepted.count)
        let isRight =
          subscriber.isDisposed
          ? subscriber.heard == Array(all.prefix(subscriber.heard.count)) : subscriber.heard == all
        #expect(isRight, "seed \(seed), subscriber \(index): \(subscriber.heard) of \(all)")
        if !isRight { return }
      }
    }
  }
}
