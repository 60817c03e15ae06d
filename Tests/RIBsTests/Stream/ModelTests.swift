// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import Testing

@Suite("Relays under random programs")
struct ModelTests {

  /// A relay, its subscribers with their reactions, and a model of the values that each should receive.
  ///
  /// In the model, a subscriber receives each value accepted after its subscription and delivered before its
  /// disposal, preceded by the current value if the relay has one.
  private final class World {
    let relay = BehaviorRelay(value: 0)
    var accepted = [0]
    var subscribers: [Subscriber] = []
    var random: Random
    var budget = 40

    init(seed: UInt64) { random = Random(seed: seed) }

    func accept() {
      guard budget > 0 else { return }
      budget -= 1
      accepted.append(accepted.count)
      relay.accept(accepted.count - 1)
      #expect(relay.value == accepted.count - 1)
    }

    func subscribe() {
      guard budget > 0 else { return }
      budget -= 1
      let subscriber = Subscriber(first: accepted.count - 1)
      subscribers.append(subscriber)
      let subscription = relay.subscribe(onNext: { [unowned self] value in
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
      switch random.next(8) {
      case 0, 1: accept()
      case 2: dispose(random.next(100))
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

  @Test("deliver each value to every subscriber, once and in order")
  func programs() {
    for seed in 1...UInt64(3_000) {
      let world = World(seed: seed)
      for _ in 0..<20 {
        switch world.random.next(4) {
        case 0: world.subscribe()
        case 1: world.dispose(world.random.next(100))
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

/// Pseudorandom numbers from a seed (SplitMix64).
struct Random {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

  mutating func next(_ bound: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((bits ^ (bits >> 31)) % UInt64(bound))
  }
}
