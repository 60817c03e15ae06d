// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import OpenCombine
import RIBs
import Workloads

@inline(never)
private func deliver(_ value: Int, to closures: [(Int) -> Void]) {
  for closure in closures { closure(value) }
}

/// Delivery to one, ten and a thousand subscribers, compared with a loop over closures and with other streams.
@MainActor
func streamCase() async -> [Measurement] {
  var measurements: [Measurement] = []
  for subscribers in [1, 10, 1_000] { measurements += await delivery(to: subscribers) }
  return measurements + [subscribing()] + following()
}

/// Delivers twenty thousand values in total per run.
@MainActor
private func delivery(to subscribers: Int) async -> [Measurement] {
  let (runs, count) = (200, 20_000 / subscribers)
  var sum = 0
  let closures = (0..<subscribers).map { _ in { (value: Int) in sum &+= value } }
  let bag = DisposeBag()

  let relay = PublishRelay<Int>()
  let mapped = PublishRelay<Int>()
  let behavior = BehaviorRelay(value: 0)
  let subject = CurrentValueSubject<Int, Never>(0)
  var cancellables: [AnyCancellable] = []
  for _ in 0..<subscribers {
    relay.subscribe(onNext: { sum &+= $0 }).disposed(by: bag)
    mapped.asObservable().map { $0 + 1 }.subscribe(onNext: { sum &+= $0 }).disposed(by: bag)
    behavior.subscribe(onNext: { sum &+= $0 }).disposed(by: bag)
    cancellables.append(subject.sink { sum &+= $0 })
  }
  let bare = { for value in 0..<count { deliver(value, to: closures) } }
  let direct = Comparison(runs: runs, operations: count, baseline: bare) {
    for value in 0..<count { relay.accept(value) }
  }
  let through = Comparison(runs: runs, operations: count, baseline: bare) {
    for value in 0..<count { mapped.accept(value) }
  }
  let latest = Comparison(runs: runs, operations: count) {
    for value in 0..<count { subject.send(value) }
  } _: {
    for value in 0..<count { behavior.accept(value) }
  }
  keep(sum)
  keep(cancellables)
  let awaitedCount = 5 * count
  let awaited = await best(of: 3, operations: awaitedCount) {
    await deliverAsynchronously(awaitedCount, to: subscribers)
  }
  return [
    Measurement("relay to \(subscribers)", direct, .atMost(1.5)),
    Measurement("relay through map to \(subscribers)", through),
    Measurement("behaviour relay to \(subscribers), beside CurrentValueSubject", latest),
    Measurement("relay to \(subscribers), beside AsyncStream", direct.value, over: awaited),
  ]
}

/// Yields values to one stream per subscriber, each consumed by a task.
@MainActor
private func deliverAsynchronously(_ count: Int, to subscribers: Int) async {
  let streams = (0..<subscribers).map { _ in AsyncStream<Int>.makeStream() }
  let tasks = streams.map { stream, _ in
    Task {
      var sum = 0
      for await value in stream { sum &+= value }
      keep(sum)
    }
  }
  for value in 0..<count { for (_, continuation) in streams { continuation.yield(value) } }
  for (_, continuation) in streams { continuation.finish() }
  for task in tasks { await task.value }
}

@MainActor
private func subscribing() -> Measurement {
  let relay = PublishRelay<Int>()
  let subject = PassthroughSubject<Int, Never>()
  let count = 1_000
  let comparison = Comparison(operations: count) {
    let cancellables = (0..<count).map { _ in subject.sink { _ in } }
    for cancellable in cancellables { cancellable.cancel() }
  } _: {
    let subscriptions = (0..<count).map { _ in relay.subscribe(onNext: { _ in }) }
    for subscription in subscriptions { subscription.dispose() }
  }
  return Measurement("one of 1000 subscribed and disposed of, beside PassthroughSubject", comparison)
}

/// Follows a stream of one value for each value.
@MainActor
private func following() -> [Measurement] {
  let count = 2_000
  var sum = 0
  let (relay, latestRelay) = (PublishRelay<Int>(), PublishRelay<Int>())
  let (subject, latestSubject) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
  let bag = DisposeBag()
  relay.asObservable().flatMap { Observable.just($0) }.subscribe(onNext: { sum &+= $0 }).disposed(by: bag)
  latestRelay.asObservable().flatMapLatest { Observable.just($0) }.subscribe(onNext: { sum &+= $0 }).disposed(by: bag)
  let cancellables = [
    subject.flatMap { Just($0) }.sink { sum &+= $0 },
    latestSubject.map { Just($0) }.switchToLatest().sink { sum &+= $0 },
  ]
  let all = Comparison(operations: count) {
    for value in 0..<count { subject.send(value) }
  } _: {
    for value in 0..<count { relay.accept(value) }
  }
  let latest = Comparison(operations: count) {
    for value in 0..<count { latestSubject.send(value) }
  } _: {
    for value in 0..<count { latestRelay.accept(value) }
  }
  keep(sum)
  keep(cancellables)
  return [
    Measurement("flatMap of a stream of one value, beside flatMap of OpenCombine", all),
    Measurement("flatMapLatest of a stream of one value, beside switchToLatest", latest),
  ]
}
