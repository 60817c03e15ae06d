// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting
import RxCompatibility
import Testing

/// Writes what a stream delivers as a line: values, and `|` for the completion.
private func line<Out>(_ recorder: StreamRecorder<Out>) -> String {
  (recorder.values.map { "\($0)" } + (recorder.hasEnded ? ["|"] : [])).joined(separator: " ")
}

/// What a synchronous stream delivers.
private func line<Stream: ObservableType>(of stream: Stream) -> String { line(StreamRecorder(stream)) }

@Suite("An operator of RxSwift")
struct OperatorTests {
  private let one = PublishSubject<Int>()
  private let two = PublishSubject<String>()

  @Test("that creates a stream")
  func creating() {
    #expect(line(of: Observable.of(1, 2, 3)) == "1 2 3 |")
    #expect(line(of: Observable.from([1, 2]).take(1)) == "1 |")
    #expect(line(of: Observable<Int>.from([])) == "|")
    var count = 0
    let deferred = Observable<Int>.deferred {
      count += 1
      return .just(count)
    }
    #expect(count == 0)
    #expect(line(of: deferred) == "1 |")
    #expect(line(of: deferred) == "2 |")
  }

  @Test("concat: the next stream begins when the previous one has completed")
  func concat() {
    // one: 1   2 |
    // two:   9     3 |
    let next = PublishSubject<Int>()
    let all = StreamRecorder(one.concat(next))
    let started = StreamRecorder(Observable.concat(.just(0), one.asObservable(), .of(8, 9)))
    one.onNext(1)
    next.onNext(9)
    one.onNext(2)
    one.onCompleted()
    next.onNext(3)
    #expect(line(all) == "1 2 3")
    #expect(line(started) == "0 1 2 8 9 |")
    next.onCompleted()
    #expect(all.hasEnded)
    #expect(line(of: Observable<Int>.concat([])) == "|")
    #expect(line(of: Observable.concat(.of(1, 2), .of(3, 4)).take(3)) == "1 2 3 |")
    // Disposal ends the current one, and no other begins.
    let left = PublishSubject<Int>()
    let stopped = StreamRecorder(left.concat(Observable.just(1)))
    stopped.stop()
    left.onCompleted()
    #expect(line(stopped) == "")
  }

  @Test("concat: many streams that complete while they are subscribed to need no stack, and each is disposed of first")
  func concatMany() {
    let count = 100_000
    var sum = 0
    let subscription = Observable.concat(Array(repeating: Observable.just(1), count: count))
      .subscribe(onNext: { sum += $0 })
    #expect(sum == count)
    #expect(subscription.hasEnded)
    var log: [String] = []
    let parts = (1...2).map { number in
      Observable.just(number).do(
        onSubscribe: { log.append("begin \(number)") }, onDispose: { log.append("end \(number)") })
    }
    #expect(line(of: Observable.concat(parts)) == "1 2 |")
    #expect(log == ["begin 1", "end 1", "begin 2", "end 2"])
  }

  @Test("skip(until:) subscribes to its stream first, and is done with the other after its first value")
  func skipUntil() {
    let opening = BehaviorSubject(value: 0)
    var isOpeningHeld = true
    let current = BehaviorSubject(value: 1)
    let recorder = StreamRecorder(current.skip(until: opening.do(onDispose: { isOpeningHeld = false })))
    #expect(line(recorder) == "")
    #expect(!isOpeningHeld)
    current.onNext(2)
    current.onCompleted()
    #expect(line(recorder) == "2 |")
  }

  @Test("zip: the first values, then the second ones, until one stream is used up")
  func zip() {
    // one: 1 2     3 |
    // two:     a b     c
    let pairs = StreamRecorder(Observable<String>.zip(one, two) { "\($0)\($1)" })
    let tuples = StreamRecorder(Observable.zip(one, two).map { "\($0.0)-\($0.1)" })
    one.onNext(1)
    one.onNext(2)
    two.onNext("a")
    two.onNext("b")
    one.onNext(3)
    one.onCompleted()
    #expect(!pairs.hasEnded)
    two.onNext("c")
    #expect(line(pairs) == "1a 2b 3c |")
    #expect(line(tuples) == "1-a 2-b 3-c |")
    #expect(
      line(of: Observable<Int>.zip(Observable.of(1, 2), Observable.of(3, 4, 5), Observable.of(6, 7)) { $0 + $1 + $2 })
        == "10 13 |")
    let four = Observable<Int>.zip(Observable.of(1, 2), Observable.of(3, 4), Observable.of(5), Observable.of(6, 7)) {
      $0 + $1 + $2 + $3
    }
    #expect(line(of: four) == "15 |")
  }

  @Test("combineLatest of four, and of a collection")
  func combineLatest() {
    let (a, b) = (BehaviorSubject(value: 1), PublishSubject<Int>())
    let four = StreamRecorder(
      Observable<Int>.combineLatest(a, b, Observable.just(10), Observable.just(100)) { $0 + $1 + $2 + $3 })
    let tuple = StreamRecorder(
      Observable.combineLatest(a, b, Observable.just("x"), Observable.just("y")).map { "\($0.0)\($0.1)\($0.2)\($0.3)" })
    let all = StreamRecorder(Observable<[Int]>.combineLatest([a.asObservable(), b.asObservable(), .just(7)]))
    b.onNext(2)
    a.onNext(3)
    a.onCompleted()
    b.onNext(4)
    b.onCompleted()
    #expect(line(four) == "113 115 117 |")
    #expect(line(tuple) == "12xy 32xy 34xy |")
    #expect(line(all) == "[1, 2, 7] [3, 2, 7] [3, 4, 7] |")
    #expect(line(of: Observable<Int>.combineLatest([Observable<Int>]()) { $0.count }) == "0 |")
    #expect(line(of: Observable<[Int]>.combineLatest([Observable.just(1), .empty(), one.asObservable()])) == "|")
  }

  @Test("take(until:), take(while:) and skip(until:)")
  func limits() {
    let taken = StreamRecorder(one.take(until: two))
    let skipped = StreamRecorder(one.skip(until: two))
    let small = StreamRecorder(one.take(while: { $0 < 2 }))
    one.onNext(1)
    two.onNext("now")
    one.onNext(2)
    one.onNext(0)
    #expect(line(taken) == "1 |")
    #expect(line(skipped) == "2 0")
    #expect(line(small) == "1 |")
    #expect(line(of: Observable.of(1).take(until: Observable.just(0))) == "|")
  }

  @Test("share: one subscription to the source, while there is a subscriber")
  func share() {
    var log: [String] = []
    let source = PublishSubject<Int>()
    let shared = source.do(onSubscribe: { log.append("begin") }, onDispose: { log.append("end") }).share(replay: 1)
    let first = StreamRecorder(shared)
    source.onNext(1)
    let second = StreamRecorder(shared)
    source.onNext(2)
    #expect(line(first) == "1 2")
    #expect(line(second) == "1 2")
    first.stop()
    #expect(log == ["begin"])
    second.stop()
    #expect(log == ["begin", "end"])
    let third = StreamRecorder(shared)
    #expect(line(third) == "")
    #expect(log == ["begin", "end", "begin"])
    source.onCompleted()
    #expect(third.hasEnded)
    #expect(log == ["begin", "end", "begin", "end"])
    var starts = 0
    let cold = Observable.of(1, 2).do(onSubscribe: { starts += 1 }).share()
    #expect(line(of: cold) == "1 2 |")
    #expect(line(of: cold.take(1)) == "1 |")
    #expect(starts == 2)
  }

  @Test("do and debug: effects beside the subscriber, in order")
  func effects() {
    var log: [String] = []
    let stream = one.do(
      onNext: { log.append("next \($0)") }, afterNext: { log.append("after \($0)") },
      onCompleted: { log.append("completed") }, onSubscribe: { log.append("subscribe") },
      onSubscribed: { log.append("subscribed") }, onDispose: { log.append("dispose") })
    let recorder = StreamRecorder(stream) { log.append("subscriber \($0)") }
    one.onNext(1)
    recorder.stop()
    one.onNext(2)
    #expect(log == ["subscribe", "subscribed", "next 1", "subscriber 1", "after 1", "dispose"])
    log = []
    #expect(line(of: Observable.of(1).debug("prices", write: { log.append($0) })) == "1 |")
    #expect(log == ["prices -> subscribed", "prices -> next 1", "prices -> completed", "prices -> disposed"])
  }

  @Test("zip: takes a time in proportion to the values, also if one stream is far ahead")
  func zipFarAhead() {
    let count = 200_000
    let (one, two) = (PublishSubject<Int>(), PublishSubject<Int>())
    var sum = 0
    let pairs = Observable<Int>.zip(one, two) { $0 - $1 }.subscribe(onNext: { sum += $0 })
    for number in 0..<count { one.onNext(number) }
    for number in 0..<count { two.onNext(number) }
    #expect(sum == 0)
    pairs.dispose()
  }

  @Test("withUnretained: values with an object that the stream does not retain, completing after its release")
  func withUnretained() throws {
    final class Owner { let name = "o" }
    var owner: Owner? = Owner()
    let pairs = try StreamRecorder(one.withUnretained(#require(owner)).map { "\($0.name)\($1)" })
    let results = try StreamRecorder(one.withUnretained(#require(owner)) { "\($1)\($0.name)" })
    one.onNext(1)
    weak let released = owner
    owner = nil
    #expect(released == nil)
    one.onNext(2)
    #expect(line(pairs) == "o1 |")
    #expect(line(results) == "1o |")
  }

  @Test("subscribe(with:): values with an object that the subscription does not retain")
  func subscribeWith() throws {
    final class Owner { let name = "o" }
    var log: [String] = []
    var owner: Owner? = Owner()
    let subscription = try one.subscribe(with: #require(owner), onNext: { log.append("\($0.name)\($1)") })
    one.onNext(1)
    weak let released = owner
    owner = nil
    #expect(released == nil)
    one.onNext(2)
    #expect(log == ["o1"])
    subscription.dispose()
  }

  @Test("bind: to relays, optional ones, subjects and closures; relays stay open")
  func bind() {
    let bag = DisposeBag()
    let (relay, optional) = (BehaviorRelay(value: 0), BehaviorRelay<Int?>(value: nil))
    let (events, subject) = (PublishRelay<Int>(), PublishSubject<Int>())
    let (seen, mirrored) = (StreamRecorder(events), StreamRecorder(subject))
    var numbers: [Int] = []
    one.bind(to: relay).disposed(by: bag)
    one.bind(to: optional).disposed(by: bag)
    one.bind(to: events).disposed(by: bag)
    one.bind(to: subject).disposed(by: bag)
    one.bind(onNext: { numbers.append($0) }).disposed(by: bag)
    one.bind(with: relay, onNext: { numbers.append($0.value + $1) }).disposed(by: bag)
    one.observe(on: MainScheduler.instance).subscribe(on: MainScheduler.asyncInstance).subscribe(onNext: {
      numbers.append($0)
    }).disposed(by: bag)
    one.onNext(4)
    one.onCompleted()
    #expect(relay.value == 4 && optional.value == 4 && numbers == [4, 8, 4])
    #expect(line(seen) == "4")
    #expect(line(mirrored) == "4 |")
  }
}

@Suite("A subject of RxSwift")
struct SubjectTests {
  @Test("delivers what comes after the subscription, after the last values, or after the current one")
  func kinds() {
    let publish = PublishSubject<Int>()
    let (replay, all, behavior) = (
      ReplaySubject<Int>.create(bufferSize: 2), ReplaySubject<Int>.createUnbounded(), BehaviorSubject(value: 0)
    )
    func send(_ values: Int...) {
      for value in values {
        publish.onNext(value)
        replay.asObserver().onNext(value)
        all.onNext(value)
        behavior.onNext(value)
      }
    }
    send(1, 2, 3)
    let recorders = [publish.asObservable(), replay.asObservable(), all.asObservable(), behavior.asObservable()].map {
      StreamRecorder($0)
    }
    send(4)
    #expect(recorders.map { line($0) } == ["4", "2 3 4", "1 2 3 4", "3 4"])
    publish.onCompleted()
    replay.onCompleted()
    all.onCompleted()
    behavior.onCompleted()
    send(5)
    #expect(recorders.map { line($0) } == ["4 |", "2 3 4 |", "1 2 3 4 |", "3 4 |"])
    #expect((try? behavior.value()) == 4)
    #expect(line(of: publish) == "|" && line(of: replay) == "3 4 |" && line(of: behavior) == "|")
  }

  @Test("replays to a subscriber what is sent while it receives the first values, once and in order")
  func reentrant() {
    let subject = ReplaySubject<Int>.create(bufferSize: 5)
    subject.onNext(1)
    subject.onNext(2)
    let recorder = StreamRecorder(subject) { if $0 < 3 { subject.onNext($0 + 2) } }
    #expect(line(recorder) == "1 2 3 4")
    subject.onNext(9)
    #expect(line(recorder) == "1 2 3 4 9")
  }

  @Test("completes when it is released, or by its subscriber")
  func released() {
    let subject = PublishSubject<Int>()
    let recorder = StreamRecorder(subject) { _ in subject.onCompleted() }
    subject.onNext(1)
    #expect(line(recorder) == "1 |")
    var other: ReplaySubject<Int>? = .create(bufferSize: 1)
    other?.onNext(1)
    let replayed = other.map { StreamRecorder($0) }
    other = nil
    #expect(replayed.map { line($0) } == "1 |")
  }
}
