import RIBs
import Testing

@Suite("An operator")
struct OperatorTests {
  /// Delivers values to whatever a closure makes of a relay, ends it, and returns what came out.
  private func transcript<Out>(
    of values: [Int] = [1, 2, 2, 3], _ make: (Observable<Int>) -> Observable<Out>
  ) -> String {
    var relay: PublishRelay<Int>? = PublishRelay()
    guard let source = relay?.asObservable() else { return "" }
    let listener = Listener(make(source))
    for value in values { relay?.accept(value) }
    relay = nil
    return listener.text
  }

  @Test("of selection delivers the values it selects, and the end")
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

  @Test("of transformation delivers what it makes of each value, and the end")
  func transformation() {
    #expect(transcript { $0.map { "v\($0)" } } == "v1 v2 v2 v3 |")
    #expect(transcript { $0.scan(10, accumulator: +) } == "11 13 15 18 |")
    #expect(transcript { $0.startWith(0) } == "0 1 2 2 3 |")
    #expect(transcript { $0.startWith(0).startWith(-1) } == "-1 0 1 2 2 3 |")
    #expect(transcript { $0.flatMapLatest { Observable.just($0 * 2) } } == "2 4 4 6 |")
    #expect(transcript { $0.flatMapLatest { _ in Observable<Int>.empty() } } == "|")
    #expect(transcript { $0.flatMapLatest { _ in Observable<Int>.never() } } == "")
  }

  @Test("keeps state of its own for each subscription")
  func subscriptions() {
    let relay = PublishRelay<Int>()
    let sums = relay.asObservable().scan(0, accumulator: +).skip(1)
    let one = Listener(sums)
    relay.accept(1)
    let other = Listener(sums)
    relay.accept(2)
    relay.accept(3)
    #expect(one.text == "3 6")
    #expect(other.text == "5")
  }

  @Test("that makes a stream delivers as told")
  func making() {
    #expect(Listener(Observable.just(1)).text == "1 |")
    #expect(Listener(Observable<Int>.empty()).text == "|")
    #expect(Listener(Observable<Int>.never()).text == "")
    var log: [String] = []
    let created = Observable<Int>.create { observer in
      observer.onNext(1)
      observer.onCompleted()
      observer.onNext(2)
      observer.onCompleted()
      return Disposables.create { log.append("disposed") }
    }
    #expect(Listener(created).text == "1 |")
    #expect(log == ["disposed"])
    let endless = Observable<Int>.create { observer in
      observer.onNext(1)
      return Disposables.create { log.append("left") }
    }
    let listener = Listener(endless)
    listener.dispose()
    listener.dispose()
    #expect(log == ["disposed", "left"])
    #expect(Listener(endless.take(1)).text == "1 |")
    #expect(log == ["disposed", "left", "left"])
  }

  @Test("delivers nothing that its source delivers after it was disposed of")
  func createdLate() {
    var observers: [AnyObserver<Int>] = []
    let source = Observable<Int>.create { observer in
      observers.append(observer)
      return Disposables.create()
    }
    let listener = Listener(source)
    observers.forEach { $0.onNext(1) }
    listener.dispose()
    observers.forEach { $0.onNext(2) }
    observers.forEach { $0.onCompleted() }
    #expect(listener.text == "1")
  }

  @Test("delivers nothing more to whom its own delivery disposes of it, also when its source does not wait")
  func disposedBySource() {
    let three = Observable<Int>.create { observer in
      for number in 1...3 { observer.onNext(number) }
      return Disposables.create()
    }
    #expect(Listener(three.take(2)).text == "1 2 |")
    let choice = PublishRelay<Int>()
    var listener: Listener<Int>?
    listener = Listener(choice.asObservable().flatMapLatest { _ in three }) { _ in listener?.dispose() }
    choice.accept(1)
    choice.accept(2)
    #expect(listener?.text == "1")
  }

  @Test("that merges delivers the values of all, and ends with the last")
  func merge() {
    let one = PublishRelay<Int>()
    var two: PublishRelay<Int>? = PublishRelay()
    guard let other = two?.asObservable() else { return }
    let listener = Listener(Observable.merge(one.asObservable(), other, .just(0)))
    one.accept(1)
    two?.accept(2)
    two = nil
    one.accept(3)
    #expect(listener.text == "0 1 2 3")
    listener.dispose()
    one.accept(4)
    #expect(listener.text == "0 1 2 3")
    #expect(Listener(Observable<Int>.merge([])).text == "|")
    #expect(Listener(Observable.merge(.just(1), .just(2))).text == "1 2 |")
  }

  @Test("that combines the latest of two or three delivers once it has all, and ends when nothing can come")
  func combineLatest() {
    let (one, two, three) = (PublishRelay<Int>(), BehaviorRelay(value: "a"), PublishRelay<Bool>())
    let pairs = Listener(Observable.combineLatest(one, two) { "\($0)\($1)" })
    let tuples = Listener(Observable.combineLatest(one, two).map { "\($0)\($1)" })
    let triples = Listener(Observable.combineLatest(one, two, three) { "\($0)\($1)\($2)" })
    let tupled = Listener(Observable.combineLatest(one, two, three).map { "\($0)\($1)\($2)" })
    one.accept(1)
    two.accept("b")
    three.accept(true)
    one.accept(2)
    #expect(pairs.text == "1a 1b 2b")
    #expect(tuples.text == pairs.text)
    #expect(triples.text == "1btrue 2btrue")
    #expect(tupled.text == triples.text)
    #expect(Listener(Observable.combineLatest(Observable.just(1), Observable.just(2), resultSelector: +)).text == "3 |")
    #expect(Listener(Observable.combineLatest(Observable<Int>.empty(), one, resultSelector: +)).text == "|")
    #expect(Listener(Observable.combineLatest(one, Observable<Int>.empty(), resultSelector: +)).text == "|")
  }

  @Test("that takes another's latest delivers with its own values only, and ends with its own stream")
  func withLatestFrom() {
    var taps: PublishRelay<Int>? = PublishRelay()
    guard let tapped = taps?.asObservable() else { return }
    let name = PublishRelay<String>()
    let listener = Listener(tapped.withLatestFrom(name) { "\($0)\($1)" })
    let names = Listener(tapped.withLatestFrom(name))
    taps?.accept(1)
    name.accept("a")
    taps?.accept(2)
    name.accept("b")
    name.accept("c")
    taps?.accept(3)
    taps = nil
    name.accept("d")
    #expect(listener.text == "2a 3c |")
    #expect(names.text == "a c |")
  }

  @Test("that follows the latest leaves the stream before, and ends with the last")
  func flatMapLatest() {
    var choice: PublishRelay<Int>? = PublishRelay()
    guard let chosen = choice?.asObservable() else { return }
    var relays = [0, 1, 2].map { BehaviorRelay(value: "\($0)a") }
    let streams = relays.map { $0.asObservable() }
    let listener = Listener(chosen.flatMapLatest { streams[$0] })
    choice?.accept(0)
    relays[0].accept("0b")
    choice?.accept(1)
    relays[0].accept("0c")
    relays[1].accept("1b")
    choice = nil
    relays[1].accept("1c")
    #expect(listener.text == "0a 0b 1a 1b 1c")
    relays = []
    #expect(listener.text == "0a 0b 1a 1b 1c |")
  }
}
