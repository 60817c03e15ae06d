// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting
import Testing

@Suite("An operator")
struct OperatorTests {
  /// Delivers values to a stream derived from a relay, completes it, and returns the output.
  private func transcript<Out>(
    of values: [Int] = [1, 2, 2, 3], _ make: (Observable<Int>) -> Observable<Out>
  ) -> String {
    var relay: PublishRelay<Int>? = PublishRelay()
    guard let source = relay?.asObservable() else { return "" }
    let recorder = StreamRecorder(make(source))
    for value in values { relay?.accept(value) }
    relay = nil
    return recorder.text
  }

  @Test("of selection delivers the selected values, and the completion")
  func selection() {
    #expect(transcript { $0.filter { $0 != 2 } } == "1 3 |")
    #expect(transcript { $0.compactMap { $0 == 2 ? nil : "v\($0)" } } == "v1 v3 |")
    #expect(transcript { $0.distinctUntilChanged() } == "1 2 3 |")
    #expect(transcript { $0.distinctUntilChanged { $0 / 2 == $1 / 2 } } == "1 2 |")
    #expect(transcript { $0.skip(3) } == "3 |")
    #expect(transcript { $0.skip(0) } == "1 2 2 3 |")
    #expect(transcript { $0.skip(-1) } == "1 2 2 3 |")
    #expect(transcript { $0.skip(9) } == "|")
    #expect(transcript { $0.take(2) } == "1 2 |")
    #expect(transcript { $0.take(9) } == "1 2 2 3 |")
    #expect(transcript { $0.take(0) } == "|")
    #expect(transcript { $0.skip(1).take(2).filter { $0 > 2 } } == "|")
  }

  @Test("of transformation delivers the transformed values, and the completion")
  func transformation() {
    #expect(transcript { $0.map { "v\($0)" } } == "v1 v2 v2 v3 |")
    #expect(transcript { $0.scan(10, accumulator: +) } == "11 13 15 18 |")
    #expect(transcript { $0.startWith(0) } == "0 1 2 2 3 |")
    #expect(transcript { $0.startWith(0).startWith(-1) } == "-1 0 1 2 2 3 |")
    #expect(transcript { $0.flatMap { Observable.just($0 * 2) } } == "2 4 4 6 |")
    #expect(transcript { $0.flatMap { _ in Observable<Int>.empty() } } == "|")
    #expect(transcript { $0.flatMap { _ in Observable<Int>.never() } } == "")
    #expect(transcript { $0.flatMapLatest { Observable.just($0 * 2) } } == "2 4 4 6 |")
    #expect(transcript { $0.flatMapLatest { _ in Observable<Int>.empty() } } == "|")
    #expect(transcript { $0.flatMapLatest { _ in Observable<Int>.never() } } == "")
  }

  @Test("keeps separate state for each subscription")
  func subscriptions() {
    let relay = PublishRelay<Int>()
    let sums = relay.asObservable().scan(0, accumulator: +).skip(1)
    let one = StreamRecorder(sums)
    relay.accept(1)
    let other = StreamRecorder(sums)
    relay.accept(2)
    relay.accept(3)
    one.expect(3, 6)
    other.expect(5)
  }

  @Test("that creates a stream delivers its values")
  func making() {
    #expect(StreamRecorder(Observable.just(1)).text == "1 |")
    #expect(StreamRecorder(Observable<Int>.empty()).text == "|")
    #expect(StreamRecorder(Observable<Int>.never()).text == "")
    var log: [String] = []
    let created = Observable<Int>.create { observer in
      observer.onNext(1)
      observer.onCompleted()
      observer.onNext(2)
      observer.onCompleted()
      return Disposables.create { log.append("disposed") }
    }
    #expect(StreamRecorder(created).text == "1 |")
    #expect(log == ["disposed"])
    let endless = Observable<Int>.create { observer in
      observer.onNext(1)
      return Disposables.create { log.append("left") }
    }
    let recorder = StreamRecorder(endless)
    recorder.stop()
    recorder.stop()
    #expect(log == ["disposed", "left"])
    #expect(StreamRecorder(endless.take(1)).text == "1 |")
    #expect(log == ["disposed", "left", "left"])
  }

  @Test("delivers nothing that its source delivers after it was disposed of")
  func createdLate() {
    var observers: [AnyObserver<Int>] = []
    let source = Observable<Int>.create { observer in
      observers.append(observer)
      return Disposables.create()
    }
    let recorder = StreamRecorder(source)
    observers.forEach { $0.onNext(1) }
    recorder.stop()
    observers.forEach { $0.onNext(2) }
    observers.forEach { $0.onCompleted() }
    recorder.expect(1)
    #expect(!recorder.hasEnded)
  }

  @Test("calls no closure for values that the disposal of another stream sends to its source")
  func sourceIsDisposedOfFirst() {
    let source = PublishRelay<Int>()
    let other = Observable<Int>.create { observer in
      observer.onNext(0)
      return Disposables.create { source.accept(2) }
    }
    var calls: [String] = []
    let streams = [
      source.asObservable().withLatestFrom(other) { value, _ in calls.append("withLatestFrom \(value)") },
      source.asObservable().flatMap { value in
        calls.append("flatMap \(value)")
        return other.map { _ in }
      },
      source.asObservable().flatMapLatest { value in
        calls.append("flatMapLatest \(value)")
        return other.map { _ in }
      },
    ]
    for stream in streams {
      let subscription = stream.subscribe(onNext: { _ in })
      source.accept(1)
      subscription.dispose()
    }
    #expect(calls == ["withLatestFrom 1", "flatMap 1", "flatMapLatest 1"])
  }

  @Test("delivers nothing more after disposal by its own delivery, even from a synchronous source")
  func disposedBySource() {
    let three = Observable<Int>.create { observer in
      for number in 1...3 { observer.onNext(number) }
      return Disposables.create()
    }
    #expect(StreamRecorder(three.take(2)).text == "1 2 |")
    let choice = PublishRelay<Int>()
    var recorder: StreamRecorder<Int>?
    recorder = StreamRecorder(choice.asObservable().flatMapLatest { _ in three }) { _ in recorder?.stop() }
    choice.accept(1)
    choice.accept(2)
    recorder?.expect(1)
  }

  @Test("that merges delivers the values of all sources, and completes with the last")
  func merge() {
    let one = PublishRelay<Int>()
    var two: PublishRelay<Int>? = PublishRelay()
    guard let other = two?.asObservable() else { return }
    let recorder = StreamRecorder(Observable.merge(one.asObservable(), other, .just(0)))
    one.accept(1)
    two?.accept(2)
    two = nil
    one.accept(3)
    recorder.expect(0, 1, 2, 3)
    recorder.stop()
    one.accept(4)
    recorder.expect()
    #expect(!recorder.hasEnded)
    #expect(StreamRecorder(Observable<Int>.merge([])).text == "|")
    #expect(StreamRecorder(Observable.merge(.just(1), .just(2))).text == "1 2 |")
  }

  @Test("that combines the latest of two or three delivers once it has all values, and completes when no more can come")
  func combineLatest() {
    let (one, two, three) = (PublishRelay<Int>(), BehaviorRelay(value: "a"), PublishRelay<Bool>())
    let pairs = StreamRecorder(Observable.combineLatest(one, two) { "\($0)\($1)" })
    let tuples = StreamRecorder(Observable.combineLatest(one, two).map { "\($0)\($1)" })
    let triples = StreamRecorder(Observable.combineLatest(one, two, three) { "\($0)\($1)\($2)" })
    let tupled = StreamRecorder(Observable.combineLatest(one, two, three).map { "\($0)\($1)\($2)" })
    one.accept(1)
    two.accept("b")
    three.accept(true)
    one.accept(2)
    pairs.expect("1a", "1b", "2b")
    tuples.expect("1a", "1b", "2b")
    triples.expect("1btrue", "2btrue")
    tupled.expect("1btrue", "2btrue")
    let sum = Observable.combineLatest(Observable.just(1), Observable.just(2), resultSelector: +)
    #expect(StreamRecorder(sum).text == "3 |")
    #expect(StreamRecorder(Observable.combineLatest(Observable<Int>.empty(), one, resultSelector: +)).text == "|")
    #expect(StreamRecorder(Observable.combineLatest(one, Observable<Int>.empty(), resultSelector: +)).text == "|")
  }

  @Test("that samples another stream delivers with its own values only, and completes with its own stream")
  func withLatestFrom() {
    var taps: PublishRelay<Int>? = PublishRelay()
    guard let tapped = taps?.asObservable() else { return }
    let name = PublishRelay<String>()
    let taken = StreamRecorder(tapped.withLatestFrom(name) { "\($0)\($1)" })
    let names = StreamRecorder(tapped.withLatestFrom(name))
    taps?.accept(1)
    name.accept("a")
    taps?.accept(2)
    name.accept("b")
    name.accept("c")
    taps?.accept(3)
    taps = nil
    name.accept("d")
    taken.expect("2a", "3c")
    names.expect("a", "c")
    #expect(taken.hasEnded && names.hasEnded)
  }

  @Test(
    "that follows all streams or the latest delivers in order of arrival, and completes with the last",
    arguments: [(false, ["0a", "0b", "1a", "0c", "1b", "1c"]), (true, ["0a", "0b", "1a", "1b", "1c"])])
  func following(isLatest: Bool, expected: [String]) {
    var choice: PublishRelay<Int>? = PublishRelay()
    guard let chosen = choice?.asObservable() else { return }
    var relays = [0, 1].map { BehaviorRelay(value: "\($0)a") }
    let streams = relays.map { $0.asObservable() }
    let followed = StreamRecorder(
      isLatest ? chosen.flatMapLatest { streams[$0] } : chosen.flatMap { streams[$0] })
    choice?.accept(0)
    relays[0].accept("0b")
    choice?.accept(1)
    relays[0].accept("0c")
    relays[1].accept("1b")
    choice = nil
    relays[1].accept("1c")
    #expect(followed.values == expected)
    relays.removeFirst()
    #expect(!followed.hasEnded)
    relays = []
    #expect(followed.hasEnded)
  }

  @Test("that follows all streams releases those that completed")
  func flatMap() {
    let many = PublishRelay<Int>()
    var live = 0
    let short = StreamRecorder(many.asObservable().flatMap { Short(value: $0, change: { live += $0 }) })
    for number in 0..<100 { many.accept(number) }
    #expect(short.values.count == 100)
    #expect(live <= 20)
    short.stop()
    #expect(live == 0)
    many.accept(100)
    #expect(short.values.count == 100)
  }

  /// A stream of one value, whose subscriptions are counted while they are retained.
  private struct Short: ObservableType {
    let value: Int
    let change: (Int) -> Void

    private final class Token: Disposable {
      private let change: (Int) -> Void
      var hasEnded: Bool { true }

      init(_ change: @escaping (Int) -> Void) {
        self.change = change
        change(1)
      }

      deinit { change(-1) }

      func dispose() {}
    }

    func asObservable() -> Observable<Int> { .just(value) }

    func subscribe(onNext: @escaping (Int) -> Void, onCompleted: (() -> Void)?) -> any Disposable {
      onNext(value)
      onCompleted?()
      return Token(change)
    }
  }

  @Test("that subscribes with an object does not retain it, and calls nothing after its release")
  func subscribeWith() {
    final class Owner {
      let number: Int
      var seen: [Int] = []

      init(_ number: Int) { self.number = number }
    }
    var relay: PublishRelay<Int>? = PublishRelay()
    guard let source = relay?.asObservable() else { return }
    var log: [String] = []
    let bag = DisposeBag()
    var owner: Owner? = Owner(1)
    let other = Owner(2)
    weak let observed = owner
    for object in [owner, other] {
      guard let object else { continue }
      source
        .subscribe(
          with: object, onNext: { log.append("\($0.number):\($1)") }, onCompleted: { log.append("\($0.number)|") }
        )
        .disposed(by: bag)
    }
    relay?.accept(1)
    owner = nil
    #expect(observed == nil)
    relay?.accept(2)
    relay = nil
    #expect(log == ["1:1", "2:1", "2:2", "2|"])
  }

  @Test("on the stream of a released relay has its last value, then the completion")
  func released() {
    func price() -> Observable<Int> { BehaviorRelay(value: 7).asObservable() }
    #expect(StreamRecorder(price()).text == "7 |")
    #expect(StreamRecorder(price().map { $0 * 2 }.startWith(0)).text == "0 14 |")
    #expect(StreamRecorder(price().take(1)).text == "7 |")
    #expect(StreamRecorder(Observable.combineLatest(price(), price(), resultSelector: +)).text == "14 |")
    #expect(StreamRecorder(PublishRelay<Int>().asObservable()).text == "|")
    // A subscriber that comes while the completion is being delivered.
    var relay: BehaviorRelay<Int>? = BehaviorRelay(value: 1)
    guard let source = relay?.asObservable() else { return }
    var late: StreamRecorder<Int>?
    let first = StreamRecorder(source) { _ in
      guard relay != nil else { return }
      relay?.accept(2)
      relay = nil
      late = StreamRecorder(source)
    }
    #expect(first.text == "1 2 |")
    #expect(late?.text == "2 |")
  }
}

extension StreamRecorder {
  /// All output as text: values, and `|` for the completion.
  fileprivate var text: String { (values.map { "\($0)" } + (hasEnded ? ["|"] : [])).joined(separator: " ") }
}
