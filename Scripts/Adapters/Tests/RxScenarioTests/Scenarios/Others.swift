// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

#if canImport(RxSwift)
  import RxCocoa
  import RxRelay
  import RxSwift
#else
  import RIBs
  import RxCompatibility
#endif

private final class Log {
  var lines: [String] = []
  /// Lives until the lines have been read.
  var held: Any?

  func callAsFunction(_ line: String) { lines.append(line) }
}

private struct Failure: Error {}

private final class Owner { let name = "o" }

// MARK: Effects and bindings

private func observed(_ source: Observable<Int>, _ log: Log) -> Observable<Int> {
  source.do(
    onNext: { log("next \($0)") }, afterNext: { log("after \($0)") }, onCompleted: { log("completed") },
    onSubscribe: { log("subscribe") }, onSubscribed: { log("subscribed") }, onDispose: { log("dispose") })
}

private func effects() -> [(name: String, play: (Log) -> Void)] {
  [
    (
      "effects of do, values later",
      { log in
        let subject = PublishSubject<Int>()
        let subscription = observed(subject, log)
          .subscribe(onNext: { log("received \($0)") }, onCompleted: { log("|") })
        subject.onNext(1)
        subject.onCompleted()
        subscription.dispose()
      }
    ),
    (
      "effects of do, values during the subscription",
      { log in
        let subscription = observed(.just(1), log)
          .subscribe(onNext: { log("received \($0)") }, onCompleted: { log("|") })
        subscription.dispose()
      }
    ),
    (
      "effects of do, disposed of",
      { log in
        let subject = PublishSubject<Int>()
        let subscription = observed(subject, log)
          .subscribe(onNext: { log("received \($0)") }, onCompleted: { log("|") })
        subject.onNext(1)
        subscription.dispose()
        subscription.dispose()
        subject.onNext(2)
      }
    ),
    (
      "effects of do, one is taken",
      { log in
        let subject = PublishSubject<Int>()
        let subscription = observed(subject, log).take(1)
          .subscribe(onNext: { log("received \($0)") }, onCompleted: { log("|") })
        subject.onNext(1)
        subscription.dispose()
      }
    ),
    (
      "create, order of the completion and the disposal",
      { log in
        let subscription = Observable<Int>.create { observer in
          observer.onNext(1)
          observer.onCompleted()
          observer.onNext(2)
          observer.onCompleted()
          log("returns")
          return Disposables.create { log("dispose") }
        }.subscribe(onNext: { log("received \($0)") }, onCompleted: { log("|") })
        subscription.dispose()
      }
    ),
    (
      "create, completed later",
      { log in
        var held: (() -> Void)?
        let subscription = Observable<Int>.create { observer in
          held = { observer.onCompleted() }
          return Disposables.create { log("dispose") }
        }.subscribe(onNext: { log("received \($0)") }, onCompleted: { log("|") })
        held?()
        subscription.dispose()
      }
    ),
    (
      "subscribe with an object, and withUnretained, after its release",
      { log in
        let subject = PublishSubject<Int>()
        var owner: Owner? = Owner()
        if let owner {
          _ = subject.subscribe(
            with: owner, onNext: { log("with \($0.name)\($1)") }, onCompleted: { _ in log("with |") })
          _ = subject.bind(with: owner, onNext: { log("bind \($0.name)\($1)") })
          _ = subject.withUnretained(owner)
            .subscribe(onNext: { log("unretained \($0.name)\($1)") }, onCompleted: { log("unretained |") })
        }
        subject.onNext(1)
        owner = nil
        subject.onNext(2)
        subject.onCompleted()
      }
    ),
    (
      "bind to a relay, an optional one, a subject and a closure",
      { log in
        let source = PublishSubject<Int>()
        let (relay, optional) = (BehaviorRelay(value: 0), BehaviorRelay<Int?>(value: nil))
        let (events, subject) = (PublishRelay<Int>(), PublishSubject<Int>())
        _ = events.subscribe(onNext: { log("event \($0)") }, onCompleted: { log("event |") })
        _ = subject.subscribe(onNext: { log("subject \($0)") }, onCompleted: { log("subject |") })
        _ = source.bind(to: relay)
        _ = source.bind(to: optional)
        _ = source.bind(to: events)
        _ = source.bind(to: subject)
        let other = BehaviorSubject(value: 0)
        _ = other.subscribe(onNext: { log("other \($0)") }, onCompleted: { log("other |") })
        _ = source.subscribe(other)
        _ = source.bind(onNext: { log("closure \($0)") })
        source.onNext(1)
        source.onCompleted()
        log("relay \(relay.value), optional \(optional.value.map { "\($0)" } ?? "nil")")
        relay.accept(2)
        log.held = events
      }
    ),
    (
      "share, a subscriber comes after the completion",
      { log in
        let source = Observable.of(1, 2).do(onSubscribe: { log("subscribe") })
        for shared in [source.share(), source.share(replay: 1), source.share(replay: 2)] {
          for _ in 0..<2 { _ = shared.subscribe(onNext: { log("\($0)") }, onCompleted: { log("|") }) }
        }
      }
    ),
    (
      "share, subscribers come and go",
      { log in
        let subject = PublishSubject<Int>()
        let source = subject.do(onSubscribe: { log("subscribe") }, onDispose: { log("dispose") })
        for shared in [source.share(), source.share(replay: 1), source.share(replay: 2)] {
          let x = shared.subscribe(onNext: { log("x\($0)") }, onCompleted: { log("x|") })
          subject.onNext(1)
          subject.onNext(2)
          let y = shared.subscribe(onNext: { log("y\($0)") }, onCompleted: { log("y|") })
          subject.onNext(3)
          x.dispose()
          subject.onNext(4)
          y.dispose()
          subject.onNext(5)
          let z = shared.subscribe(onNext: { log("z\($0)") }, onCompleted: { log("z|") })
          subject.onNext(6)
          z.dispose()
        }
      }
    ),
    (
      "just, empty and never",
      { log in
        for stream in [Observable.just(1), .empty(), .never()] {
          stream.subscribe(onNext: { log("\($0)") }, onCompleted: { log("|") }).dispose()
        }
      }
    ),
    (
      "share, the source completes while a subscriber subscribes again",
      { log in
        let subject = PublishSubject<Int>()
        for shared in [subject.share(), subject.share(replay: 1), subject.share(replay: 2)] {
          _ = shared.subscribe(
            onNext: { log("x\($0)") },
            onCompleted: {
              log("x|")
              _ = shared.subscribe(onNext: { log("y\($0)") }, onCompleted: { log("y|") })
            })
        }
        subject.onNext(1)
        subject.onCompleted()
      }
    ),
    (
      "a relay and a subject are released",
      { log in
        var (relay, subject): (PublishRelay<Int>?, PublishSubject<Int>?) = (PublishRelay(), PublishSubject())
        let streams = [relay?.asObservable(), subject?.map { $0 }]
        for stream in streams { _ = stream?.subscribe(onNext: { log("\($0)") }, onCompleted: { log("|") }) }
        relay = nil
        subject = nil
        log.held = streams
      }
    ),
    (
      "the observable of a behavior relay that is not held",
      { log in
        let stream = BehaviorRelay(value: 1).asObservable()
        _ = stream.subscribe(onNext: { log("\($0)") }, onCompleted: { log("|") })
      }
    ),
    (
      "combineLatest of an empty collection",
      { log in
        _ = Observable<Int>.combineLatest([Observable<Int>]()) { $0.count }
          .subscribe(onNext: { log("\($0)") }, onCompleted: { log("|") })
      }
    ),
    (
      "concat and merge of none",
      { log in
        let none: [Observable<Int>] = []
        _ = Observable.concat(none).subscribe(onNext: { log("\($0)") }, onCompleted: { log("concat |") })
        _ = Observable.merge(none).subscribe(onNext: { log("\($0)") }, onCompleted: { log("merge |") })
      }
    ),
    (
      "combineLatest and zip of one relay with itself",
      { log in
        let relay = BehaviorRelay(value: 1)
        _ = Observable<String>.combineLatest(relay, relay.map { $0 * 10 }) { "\($0),\($1)" }
          .subscribe(onNext: { log($0) })
        _ = Observable<String>.zip(relay, relay.map { $0 * 10 }) { "zip \($0),\($1)" }.subscribe(onNext: { log($0) })
        relay.accept(2)
      }
    ),
  ]
}

// MARK: Time

/// Each operator of time, applied to a source of letters.
private func timed() -> [(name: String, apply: (Observable<String>, World) -> Observable<String>)] {
  [
    ("debounce", { source, world in source.debounce(.seconds(2), scheduler: world.scheduler) }),
    ("throttle", { source, world in source.throttle(.seconds(2), scheduler: world.scheduler) }),
    (
      "throttle without the latest",
      { source, world in source.throttle(.seconds(2), latest: false, scheduler: world.scheduler) }
    ),
    ("delay", { source, world in source.delay(.seconds(2), scheduler: world.scheduler) }),
    (
      "interval",
      { source, world in
        .merge(source, Observable<Int>.interval(.seconds(2), scheduler: world.scheduler).map { "\($0)" })
      }
    ),
    (
      "timer",
      { source, world in .merge(source, Observable<Int>.timer(.seconds(3), scheduler: world.scheduler).map { "\($0)" })
      }
    ),
    (
      "timer with a period",
      { source, world in
        .merge(
          source,
          Observable<Int>.timer(.seconds(1), period: .seconds(3), scheduler: world.scheduler).map { "\($0)" }.take(3))
      }
    ),
    (
      "flatMapLatest to a timer",
      { source, world in
        source.flatMapLatest { letter in
          Observable<Int>.timer(.seconds(2), scheduler: world.scheduler).map { "\(letter)\($0)" }
        }
      }
    ),
  ]
}

/// A letter is sent, `|` completes the source, `x` disposes of the subscription, and a blank does nothing. After each, a
/// second passes.
private let marbles = [
  "ab c   d  e|   ", "abc|     ", "a  b cd ef gh     ", "a |    ", "  |   ", "ab x   c|  ", "|   ",
]

private func line(of apply: (Observable<String>, World) -> Observable<String>, _ marbles: String) -> String {
  let world = World()
  let source = PublishSubject<String>()
  var line = ""
  let subscription = apply(source.asObservable(), world)
    .subscribe(onNext: { line += "\($0)" }, onCompleted: { line += "|" })
  for marble in marbles {
    switch marble {
    case " ": break
    case "|": source.onCompleted()
    case "x": subscription.dispose()
    default: source.onNext("\(marble)")
    }
    world.advanceSecond()
    line += "."
  }
  subscription.dispose()
  world.end()
  return line
}

/// Scenarios of time in which a delivery sends to the source.
private func lineSendingInDelivery(_ apply: (Observable<String>, World) -> Observable<String>) -> String {
  let world = World()
  let source = PublishSubject<String>()
  var line = ""
  var left = 2
  let subscription = apply(source.asObservable(), world)
    .subscribe(
      onNext: {
        line += "\($0)"
        left -= 1
        if left >= 0 { source.onNext("\(left)") }
      }, onCompleted: { line += "|" })
  source.onNext("a")
  source.onNext("b")
  for _ in 0..<8 {
    world.advanceSecond()
    line += "."
  }
  subscription.dispose()
  world.end()
  return line
}

// MARK: Single

/// A single that a scenario ends.
private final class Promise {
  private var end: ((Result<Int, any Error>) -> Void)?
  private let log: Log

  init(_ log: Log) { self.log = log }

  var single: Single<Int> {
    .create { end in
      self.log("subscribe")
      self.end = end
      return Disposables.create { self.log("dispose") }
    }
  }

  func end(_ result: Result<Int, any Error>) { end?(result) }
}

private func singles() -> [(name: String, apply: (Single<Int>) -> Single<String>)] {
  [
    ("map", { $0.map { "\($0)" } }),
    ("map that throws", { $0.map { _ in throw Failure() } }),
    ("flatMap to a value", { $0.flatMap { .just("\($0)!") } }),
    ("flatMap to an error", { $0.flatMap { _ in .error(Failure()) } }),
    ("flatMap that throws", { $0.flatMap { _ -> Single<String> in throw Failure() } }),
    ("catch", { $0.map { "\($0)" }.catch { _ in .just("caught") } }),
    ("catch that throws", { $0.map { "\($0)" }.catch { throw $0 } }),
    ("catchAndReturn", { $0.map { "\($0)" }.catchAndReturn("caught") }),
  ]
}

private func singleSituations() -> [(name: String, play: (Promise, any Disposable) -> Void)] {
  [
    ("succeeds", { promise, _ in promise.end(.success(1)) }),
    ("fails", { promise, _ in promise.end(.failure(Failure())) }),
    (
      "succeeds twice",
      { promise, _ in
        promise.end(.success(1))
        promise.end(.success(2))
      }
    ),
    (
      "disposed of",
      { promise, subscription in
        subscription.dispose()
        promise.end(.success(1))
      }
    ),
  ]
}

private func singleLines() -> [String] {
  singles().flatMap { operation in
    singleSituations().map { situation in
      let (world, log) = (World(), Log())
      let promise = Promise(log)
      let subscription = world.subscribe(
        operation.apply(promise.single), onSuccess: { log("success \($0)") }, onFailure: { log("failure \($0)") })
      situation.play(promise, subscription)
      subscription.dispose()
      world.end()
      return "Single \(operation.name), \(situation.name): \(log.lines.joined(separator: " "))"
    }
  }
}

private func otherSingles() -> [(name: String, play: (World, Log) -> any Disposable)] {
  [
    (
      "just",
      { world, log in
        world.subscribe(.just(1), onSuccess: { log("success \($0)") }, onFailure: { log("failure \($0)") })
      }
    ),
    (
      "error",
      { world, log in
        world.subscribe(
          Single<Int>.error(Failure()), onSuccess: { log("success \($0)") }, onFailure: { log("failure \($0)") })
      }
    ),
    (
      "never",
      { world, log in
        world.subscribe(
          Single<Int>.never(), onSuccess: { log("success \($0)") }, onFailure: { log("failure \($0)") })
      }
    ),
    (
      "do",
      { world, log in
        world.subscribe(
          Single.just(1).do(onSuccess: { log("do \($0)") }, onError: { log("do \($0)") })
            .flatMap { _ in Single<Int>.error(Failure()) }
            .do(onSuccess: { log("then \($0)") }, onError: { log("then \($0)") }), onSuccess: { log("success \($0)") },
          onFailure: { log("failure \($0)") })
      }
    ),
    (
      "asObservable of a value",
      { world, log in
        world.stream(of: Single.just(1)).subscribe(onNext: { log("\($0)") }, onCompleted: { log("|") })
      }
    ),
    (
      "asObservable of an error",
      { world, log in
        world.stream(of: Single<Int>.error(Failure())).subscribe(onNext: { log("\($0)") }, onCompleted: { log("|") })
      }
    ),
    (
      "asObservable in flatMapLatest",
      { world, log in
        Observable.merge(.just(1), .just(2)).flatMapLatest { world.stream(of: .just($0)) }
          .subscribe(onNext: { log("\($0)") }, onCompleted: { log("|") })
      }
    ),
  ]
}

// MARK: All

/// A line for each scenario: its name, a colon, and what it logged.
func allScenarios() -> [String] {
  let effectLines = effects().map { effect in
    let log = Log()
    effect.play(log)
    return "\(effect.name): \(log.lines.joined(separator: " "))"
  }
  let timeLines = timed().flatMap { operation in
    marbles.map { "\(operation.name), \"\($0)\": \(line(of: operation.apply, $0))" }
      + ["\(operation.name), sends in a delivery: \(lineSendingInDelivery(operation.apply))"]
  }
  let otherSingleLines = otherSingles().map { single in
    let (world, log) = (World(), Log())
    single.play(world, log).dispose()
    world.end()
    return "Single \(single.name): \(log.lines.joined(separator: " "))"
  }
  return operatorScenarios() + subjectScenarios() + effectLines + timeLines + singleLines() + otherSingleLines
}
