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

/// A subject or a relay.
private struct Hub {
  let stream: Observable<Int>
  let send: (Int) -> Void
  /// A relay has none.
  var complete: () -> Void = {}

  /// Each kind. The closure makes one that holds no value but 0.
  static func kinds() -> [(name: String, make: () -> Hub)] {
    [
      ("PublishSubject", { Hub(PublishSubject()) }),
      ("BehaviorSubject", { Hub(BehaviorSubject(value: 0)) }),
      ("ReplaySubject of one", { Hub(ReplaySubject.create(bufferSize: 1)) }),
      ("ReplaySubject of two", { Hub(ReplaySubject.create(bufferSize: 2)) }),
      ("ReplaySubject of all", { Hub(ReplaySubject.createUnbounded()) }),
      (
        "PublishRelay",
        {
          let relay = PublishRelay<Int>()
          return Hub(stream: relay.asObservable(), send: relay.accept)
        }
      ),
      (
        "BehaviorRelay",
        {
          let relay = BehaviorRelay(value: 0)
          return Hub(stream: relay.asObservable(), send: relay.accept)
        }
      ),
    ]
  }

  private init(stream: Observable<Int>, send: @escaping (Int) -> Void) {
    self.stream = stream
    self.send = send
  }

  private init<Subject: ObservableType & ObserverType>(_ subject: Subject)
  where Subject.Element == Int {
    stream = subject.asObservable()
    send = { subject.onNext($0) }
    complete = { subject.onCompleted() }
  }
}

/// Subscribers with names, which may act in a delivery.
private final class Audience {
  let hub: Hub
  private var subscriptions: [String: any Disposable] = [:]
  private(set) var lines: [String] = []

  init(_ hub: Hub) { self.hub = hub }

  func subscribe(_ name: String, onNext: @escaping (Int) -> Void = { _ in }) {
    subscriptions[name] = hub.stream.subscribe(
      onNext: { value in
        self.lines.append("\(name)\(value)")
        onNext(value)
      }, onCompleted: { self.lines.append("\(name)|") })
  }

  func dispose(_ name: String) { subscriptions[name]?.dispose() }

  func end() { for subscription in subscriptions.values { subscription.dispose() } }
}

private func situations() -> [(name: String, play: (Audience) -> Void)] {
  [
    (
      "subscribers come and go",
      { audience in
        audience.subscribe("x")
        audience.hub.send(1)
        audience.hub.send(2)
        audience.subscribe("y")
        audience.hub.send(3)
        audience.dispose("x")
        audience.hub.send(4)
        audience.hub.complete()
        audience.hub.send(5)
        audience.hub.complete()
        audience.subscribe("z")
      }
    ),
    (
      "the first of three leaves, another comes",
      { audience in
        for name in ["x", "y", "z"] { audience.subscribe(name) }
        audience.dispose("x")
        audience.subscribe("w")
        audience.hub.send(1)
      }
    ),
    (
      "sends in a delivery",
      { audience in
        audience.subscribe("x") { if $0 == 1 { audience.hub.send(2) } }
        audience.subscribe("y")
        audience.hub.send(1)
        audience.hub.send(3)
      }
    ),
    (
      "sends in the first delivery",
      { audience in
        audience.hub.send(1)
        audience.subscribe("x") { if $0 < 2 { audience.hub.send($0 + 1) } }
        audience.hub.send(5)
      }
    ),
    (
      "subscribes in a delivery",
      { audience in
        audience.subscribe("x") { if $0 == 1 { audience.subscribe("y") } }
        audience.hub.send(1)
        audience.hub.send(2)
      }
    ),
    (
      "disposes of itself in a delivery",
      { audience in
        audience.subscribe("x") { if $0 == 1 { audience.dispose("x") } }
        audience.subscribe("y")
        audience.hub.send(1)
        audience.hub.send(2)
      }
    ),
    (
      "disposes of another in a delivery",
      { audience in
        audience.subscribe("x") { if $0 == 1 { audience.dispose("y") } }
        audience.subscribe("y")
        audience.hub.send(1)
        audience.hub.send(2)
      }
    ),
    (
      "completes in a delivery",
      { audience in
        audience.subscribe("x") { if $0 == 1 { audience.hub.complete() } }
        audience.subscribe("y")
        audience.hub.send(1)
        audience.hub.send(2)
      }
    ),
  ]
}

/// A line for each kind of subject in each situation.
func subjectScenarios() -> [String] {
  Hub.kinds().flatMap { kind in
    situations().map { situation in
      let audience = Audience(kind.make())
      situation.play(audience)
      audience.end()
      return "\(kind.name), \(situation.name): \(audience.lines.joined(separator: " "))"
    }
  }
}
