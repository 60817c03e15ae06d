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

/// The sources of an operator. Operators of fewer sources ignore the others.
struct Sources {
  let a: Observable<Int>
  let b: Observable<Int>
  let c: Observable<Int>
  let d: Observable<Int>
}

/// Sends 10 times a value and the value after that, during the subscription.
private func burst(_ value: Int) -> Observable<Int> {
  .create { observer in
    observer.onNext(value * 10)
    observer.onNext(value * 10 + 1)
    observer.onCompleted()
    return Disposables.create()
  }
}

private final class Owner { let name = "o" }

/// Each operator, applied to the sources.
private func operators(_ owner: Owner) -> [(name: String, apply: (Sources) -> Observable<String>)] {
  [
    ("map", { s in s.a.map { "\($0)" } }),
    ("compactMap", { s in s.a.compactMap { $0 == 1 ? nil : "\($0)" } }),
    ("filter", { s in s.a.filter { $0 != 1 }.map { "\($0)" } }),
    ("scan", { s in s.a.scan("") { $0 + "\($1)" } }),
    ("skip", { s in s.a.skip(1).map { "\($0)" } }),
    ("take", { s in s.a.take(2).map { "\($0)" } }),
    ("take none", { s in s.a.take(0).map { "\($0)" } }),
    ("distinctUntilChanged", { s in s.a.distinctUntilChanged().map { "\($0)" } }),
    ("distinctUntilChanged by", { s in s.a.distinctUntilChanged { $0 % 2 == $1 % 2 }.map { "\($0)" } }),
    ("startWith", { s in s.a.startWith(0).map { "\($0)" } }),
    ("do", { s in s.a.do(onNext: { _ in }).map { "\($0)" } }),
    ("deferred", { s in Observable<Int>.deferred { s.a }.map { "\($0)" } }),
    ("take while", { s in s.a.take(while: { $0 < 3 }).map { "\($0)" } }),
    ("take until", { s in s.a.take(until: s.b).map { "\($0)" } }),
    ("skip until", { s in s.a.skip(until: s.b).map { "\($0)" } }),
    ("withUnretained", { s in s.a.withUnretained(owner).map { "\($0.0.name)\($0.1)" } }),
    ("withUnretained by", { s in s.a.withUnretained(owner) { "\($1)\($0.name)" } }),
    ("withLatestFrom", { s in s.a.withLatestFrom(s.b).map { "\($0)" } }),
    ("withLatestFrom by", { s in s.a.withLatestFrom(s.b) { "\($0),\($1)" } }),
    ("share", { s in s.a.share().map { "\($0)" } }),
    ("share replaying one", { s in s.a.share(replay: 1).map { "\($0)" } }),
    ("share replaying two", { s in s.a.share(replay: 2).map { "\($0)" } }),
    ("flatMap", { s in s.a.flatMap { a in s.b.map { "\(a),\($0)" } } }),
    ("flatMap to a burst", { s in s.a.flatMap { burst($0) }.map { "\($0)" } }),
    ("flatMapLatest", { s in s.a.flatMapLatest { a in s.b.map { "\(a),\($0)" } } }),
    ("flatMapLatest to a burst", { s in s.a.flatMapLatest { burst($0) }.map { "\($0)" } }),
    ("merge", { s in Observable.merge(s.a, s.b).map { "\($0)" } }),
    ("merge of a collection", { s in Observable.merge([s.a, s.b, s.c]).map { "\($0)" } }),
    ("concat", { s in s.a.concat(s.b).map { "\($0)" } }),
    ("concat of three", { s in Observable.concat(s.a, s.b, s.c).map { "\($0)" } }),
    ("combineLatest", { s in Observable<String>.combineLatest(s.a, s.b) { "\($0),\($1)" } }),
    ("combineLatest of three", { s in Observable<String>.combineLatest(s.a, s.b, s.c) { "\($0),\($1),\($2)" } }),
    (
      "combineLatest of four",
      { s in Observable<String>.combineLatest(s.a, s.b, s.c, s.d) { "\($0),\($1),\($2),\($3)" } }
    ),
    (
      "combineLatest of a collection",
      { s in Observable<String>.combineLatest([s.a, s.b, s.c]) { $0.map { "\($0)" }.joined(separator: ",") } }
    ),
    ("zip", { s in Observable<String>.zip(s.a, s.b) { "\($0),\($1)" } }),
    ("zip of three", { s in Observable<String>.zip(s.a, s.b, s.c) { "\($0),\($1),\($2)" } }),
    ("zip of four", { s in Observable<String>.zip(s.a, s.b, s.c, s.d) { "\($0),\($1),\($2),\($3)" } }),
  ]
}

/// What happens to the sources and the subscription.
private struct Situation {
  enum Kind {
    /// Subjects, which the script controls.
    case subjects
    /// Behavior relays with the values 1, 10, 100 and 1000, to which the script sends.
    case relays
    /// Each source sends two values and completes while it is subscribed to.
    case bursts
    /// The same with `of`.
    case of
  }

  let name: String
  var kind = Kind.subjects
  /// Words: a source with a value or with `|`, which completes it; `x` disposes of the subscription, `y` subscribes once
  /// more.
  var script = ""
  /// The script that is played in the delivery of the first value.
  var inFirstDelivery = ""
  /// Whether only the first value is taken.
  var takesOne = false
}

private let longScript = "a1 b10 c100 d1000 a2 b20 c200 d2000 a2 a3 b30 c300 d3000 a4 a| b40 b| c| d|"

private let situations = [
  Situation(name: "values later", script: longScript),
  Situation(name: "values during the subscription", kind: .bursts),
  Situation(name: "values of `of`", kind: .of),
  Situation(name: "relays", kind: .relays, script: "a2 b20 c200 d2000 a2 a3 b30 c300 d3000 a4 x a5 b50"),
  Situation(
    name: "relays, sends in a delivery", kind: .relays, script: "a2 b20 c200 d2000 a3",
    inFirstDelivery: "a7 b70 c700 d7000"),
  Situation(name: "relays, disposed of in a delivery", kind: .relays, script: "a2 b20 a3", inFirstDelivery: "x"),
  Situation(name: "relays, one is taken", kind: .relays, script: "a2 b20 c200 d2000 a3", takesOne: true),
  Situation(name: "first completes first", script: "a1 b10 c100 d1000 a| b20 c200 d2000 b30 b| c| d|"),
  Situation(name: "last completes first", script: "a1 b10 c100 d1000 d| c| b| a2 a3 a|"),
  Situation(name: "only the first completes", script: "a1 b10 c100 d1000 a| b20 c200 d2000"),
  Situation(name: "only the last completes", script: "a1 b10 c100 d1000 d| c| b| a2 a3"),
  Situation(name: "only the first completes, without a value", script: "a| b10 c100 d1000"),
  Situation(name: "first is empty", script: "a| b10 c100 d1000 b| c| d|"),
  Situation(name: "last is empty", script: "d| c| b| a1 a2 a|"),
  Situation(name: "first is ahead", script: "a1 a2 a3 b10 c100 d1000 a| b20 c200 d2000 b| c| d|"),
  Situation(name: "disposed of", script: "a1 b10 c100 d1000 x a2 b20 c200 d2000 a| b|"),
  Situation(name: "disposed of in a delivery", script: longScript, inFirstDelivery: "x"),
  Situation(name: "sends in a delivery", script: longScript, inFirstDelivery: "a7 b70 c700 d7000"),
  Situation(name: "completes in a delivery", script: longScript, inFirstDelivery: "a| b| c| d|"),
  Situation(name: "one is taken", script: longScript, takesOne: true),
  Situation(name: "one is taken during the subscription", kind: .bursts, takesOne: true),
  Situation(name: "two subscribers", script: "a1 b10 c100 d1000 y a2 b20 c200 d2000 x a3 b30 c300 d3000 a| b| c| d|"),
]

/// Plays a situation with an operator.
private final class Play {
  private let situation: Situation
  private let apply: (Sources) -> Observable<String>
  private lazy var stream = apply(Sources(a: source(0), b: source(1), c: source(2), d: source(3)))
  private let subjects = ["a", "b", "c", "d"].map { (name: $0, subject: PublishSubject<Int>()) }
  private let relays = [1, 10, 100, 1000].map { BehaviorRelay(value: $0) }
  private var subscriptions: [String: any Disposable] = [:]
  private var values: [String] = []
  private var effects: [String] = []
  private var hasDelivered = false

  init(_ situation: Situation, _ apply: @escaping (Sources) -> Observable<String>) {
    self.situation = situation
    self.apply = apply
  }

  /// The values, then the beginnings (`+`) and ends (`-`) of subscriptions to the sources. Their order among each other
  /// is not written: the scenarios of `do` have it.
  func lines() -> String {
    subscribe("x")
    play(situation.script)
    for subscription in subscriptions.values { subscription.dispose() }
    return values.joined(separator: " ") + " ; " + effects.joined(separator: " ")
  }

  private func play(_ script: String) {
    for word in script.split(separator: " ") {
      switch word {
      case "x": subscriptions["x"]?.dispose()
      case "y": subscribe("y")
      default:
        guard let index = subjects.firstIndex(where: { $0.name == word.prefix(1) }) else { continue }
        guard let value = Int(word.dropFirst()) else {
          subjects[index].subject.onCompleted()
          continue
        }
        if situation.kind == .relays { relays[index].accept(value) } else { subjects[index].subject.onNext(value) }
      }
    }
  }

  private func subscribe(_ name: String) {
    let mark = situation.script.contains("y") ? name : ""
    subscriptions[name] = (situation.takesOne ? stream.take(1) : stream)
      .subscribe(
        onNext: { value in
          self.values.append(mark + value)
          guard !self.hasDelivered else { return }
          self.hasDelivered = true
          self.play(self.situation.inFirstDelivery)
        }, onCompleted: { self.values.append(mark + "|") })
  }

  private func source(_ index: Int) -> Observable<Int> {
    let base: Observable<Int> =
      switch situation.kind {
      case .subjects: subjects[index].subject.asObservable()
      case .relays: relays[index].asObservable()
      case .bursts: burst(index + 1)
      case .of: .of(index * 10 + 10, index * 10 + 11)
      }
    let name = subjects[index].name
    return base.do(
      onSubscribe: { self.effects.append("+" + name) }, onDispose: { self.effects.append("-" + name) })
  }
}

/// A line for each operator in each situation.
func operatorScenarios() -> [String] {
  let owner = Owner()
  return operators(owner).flatMap { operation in
    situations.map { situation in
      "\(operation.name), \(situation.name): \(Play(situation, operation.apply).lines())"
    }
  }
}
