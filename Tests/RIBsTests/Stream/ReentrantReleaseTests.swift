// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsLists
import RIBsTesting
import Testing

/// The actions of the `deinit` of a value, of a closure's captures or of a token.
enum Reaction: CaseIterable {
  case accept, dispose, subscribe
}

/// The source of the values.
enum SourceKind: CaseIterable {
  case behaviorRelay, publishRelay, stateCell, created
}

/// A stream through an operator whose values, captures and tokens act when they are released.
private final class ReactingStream {
  private(set) var accepted: [Int] = []
  private(set) var delivered: [[Int]] = []
  private let reaction: Reaction
  private var budget = 30
  private var stream: Observable<Tracked>?
  private var subscriptions: [any Disposable] = []
  private var behaviorRelay: BehaviorRelay<Tracked>?
  private var publishRelay: PublishRelay<Tracked>?
  private var cell: UnidirectionalStream<CellLogic>?
  private var observers: [AnyObserver<Tracked>] = []
  private let endless = BehaviorRelay(value: Tracked(-1))

  init(_ form: OperatorForm, of kind: SourceKind, _ reaction: Reaction, confinedTo scope: Interactor) {
    self.reaction = reaction
    let source: Observable<Tracked>
    switch kind {
    case .behaviorRelay:
      let relay = BehaviorRelay(value: makeValue(0))
      behaviorRelay = relay
      source = relay.asObservable()
    case .publishRelay:
      let relay = PublishRelay<Tracked>()
      publishRelay = relay
      source = relay.asObservable()
    case .stateCell:
      let cell = UnidirectionalStream<CellLogic>(
        input: CellLogic.Input(), state: CellLogic.State(value: StateCell(makeValue(0))))
      self.cell = cell
      source = cell.output.value.asObservable()
    case .created:
      source = Observable.create { [weak self] observer in
        self?.observers.append(observer)
        return ReactingToken { self?.react() }
      }
    }
    stream = form.make(
      source, OperatorForm.Surroundings(witness: makeValue(-2), endless: endless.asObservable(), scope: scope))
  }

  private func makeValue(_ number: Int) -> Tracked { Tracked(number) { [weak self] in self?.react() } }

  func accept() {
    let value = makeValue(accepted.count + 1)
    accepted.append(value.number)
    behaviorRelay?.accept(value)
    publishRelay?.accept(value)
    cell?.input.set.accept(value)
    for observer in observers { observer.onNext(value) }
  }

  func subscribe() {
    let index = delivered.count
    delivered.append([])
    let captured = makeValue(-3)
    let subscription = stream?.subscribe(
      onNext: { [weak self] value in if value != captured { self?.delivered[index].append(value.number) } },
      onCompleted: { _ = captured.number })
    if let subscription { subscriptions.append(subscription) }
  }

  func dispose() {
    let ending = subscriptions
    subscriptions = []
    for subscription in ending { subscription.dispose() }
  }

  func end() {
    // Released outside the accesses: the end of a stream releases values, which may access this object.
    let released = (behaviorRelay, publishRelay, cell)
    behaviorRelay = nil
    publishRelay = nil
    cell = nil
    withExtendedLifetime(released) {}
    let ending = observers
    observers = []
    for observer in ending { observer.onCompleted() }
  }

  func drop() { stream = nil }

  private func react() {
    guard budget > 0 else { return }
    budget -= 1
    switch reaction {
    case .accept: accept()
    case .dispose: dispose()
    case .subscribe: subscribe()
    }
  }
}

/// A user's token that acts on every call.
private final class ReactingToken: Disposable {
  private let react: () -> Void
  init(_ react: @escaping () -> Void) { self.react = react }

  func dispose() { react() }

  var hasEnded: Bool {
    react()
    return false
  }

  deinit { react() }
}

/// A stream that returns a custom token.
private struct ForeignStream: ObservableType {
  let react: () -> Void

  func asObservable() -> Observable<Int> { .never() }

  func subscribe(onNext: @escaping (Int) -> Void, onCompleted: (() -> Void)?) -> any Disposable {
    ReactingToken(react)
  }
}

private enum CellLogic: StreamLogic {
  struct Input { let set = InputPort<Tracked>() }
  struct State { let value: StateCell<Tracked> }
  struct Output { let value: OutputValue<Tracked> }
  typealias Extra = Void

  static func bind(_ binding: UnidirectionalStream<CellLogic>.Binding) -> Output {
    let value = binding.state.value
    binding.input.set.subscribe(onNext: { value.accept($0) }).disposed(by: binding)
    return Output(value: OutputValue(value))
  }
}

@Suite("What is released by a stream")
struct ReentrantReleaseTests {
  @Test(
    "may accept, dispose and subscribe in its deinit, whatever the operator, and values keep their order",
    arguments: OperatorForm.all, SourceKind.allCases)
  func operators(form: OperatorForm, kind: SourceKind) {
    for reaction in Reaction.allCases {
      for endsFirst in [false, true] {
        let scope = Scripted.Interactor()
        scope.activate()
        let stream = ReactingStream(form, of: kind, reaction, confinedTo: scope)
        stream.subscribe()
        for _ in 0..<3 { stream.accept() }
        scope.deactivate()
        for _ in 0..<3 { stream.accept() }
        scope.activate()
        stream.subscribe()
        stream.accept()
        if endsFirst { stream.end() }
        stream.dispose()
        stream.accept()
        stream.end()
        stream.drop()
        for delivered in stream.delivered {
          // The witness of the operator and the first value of the source may arrive at any time.
          let own = delivered.filter { $0 > 0 }
          #expect(own == own.sorted(), "\(reaction): \(delivered) of \(stream.accepted)")
        }
        #expect(stream.accepted.count >= 8)
      }
    }
  }

  @Test("accepts a value that is delivered after the one it was released for")
  func order() {
    let relay = BehaviorRelay<Tracked?>(value: nil)
    let recorder = StreamRecorder(relay.asObservable().map { $0?.number ?? 0 })
    relay.accept(Tracked(1) { relay.accept(Tracked(3)) })
    relay.accept(Tracked(2))
    recorder.expect(0, 1, 2, 3)
    #expect(relay.value?.number == 3)
  }

  @Test("may be a token that binds, disposes and queries on every call", arguments: Binding.allCases)
  func tokens(binding: Binding) {
    let scopes = Scopes()
    var budget = 200
    func bind() {
      guard budget > 0 else { return }
      budget -= 1
      scopes.bind(ReactingToken(bind), to: binding)
    }
    for _ in 0..<100 { scopes.bind(ReactingToken(bind), to: binding) }
    _ = scopes.reportedCount
    #expect(budget == 0)
    scopes.test.finish()
  }

  @Test("may deactivate the scope that sweeps ended subscriptions")
  func deactivation() {
    let interactor = Scripted.Interactor()
    interactor.activate()
    var disposals = 0
    for _ in 0..<17 { Disposables.create { disposals += 1 }.disposeOnDeactivate(interactor: interactor) }
    ReactingToken { interactor.deactivate() }.disposeOnDeactivate(interactor: interactor)
    var late = 0
    let reported = misuses {
      for _ in 0..<40 { Disposables.create { late += 1 }.disposeOnDeactivate(interactor: interactor) }
    }
    #expect(disposals == 17)
    #expect(late == 40)
    #expect(reported.count > 0)
    interactor.activate()
    interactor.deactivate()
    #expect(disposals == 17)
  }

  @Test("may present, and dispose of the presenter that shows it", arguments: [false, true])
  func presenter(disposes: Bool) {
    let interactor = Scripted.Interactor()
    let test = TestTree(recording: [])
    test.launch(interactor: interactor)
    var shown: [Int] = []
    var presenter: PacedPresenter<Tracked>?
    var budget = 20
    func value(_ number: Int) -> Tracked {
      Tracked(number) {
        guard budget > 0 else { return }
        budget -= 1
        if disposes { presenter?.dispose() } else { presenter?.present(value(100 + budget)) }
      }
    }
    presenter = PacedPresenter(of: interactor) { shown.append($0.number) }
    for number in 1...6 {
      presenter?.present(value(number))
      presenter?.present(value(-number))
      test.advance(by: .milliseconds(20))
    }
    interactor.deactivate()
    #expect(budget < 20)
    #expect(shown.isEmpty == false)
    // The variable itself must not be replaced during an access.
    budget = 0
    presenter = nil
    test.finish()
  }

  @Test("may start and dispose of the workflow that produced it")
  func workflow() {
    let scopes = Scopes()
    let workflow = Workflow<Scripted.Interactor>()
    var budget = 50
    var subscription: (any Disposable)?
    func start() {
      guard budget > 0 else { return }
      budget -= 1
      subscription?.dispose()
      subscription = workflow.subscribe(scopes.interactor)
    }
    workflow.onStep { interactor in (interactor, Tracked(1) { start() }) }.commit()
    for _ in 0..<10 {
      start()
      scopes.test.settle()
    }
    #expect(budget == 0)
    subscription?.dispose()
    scopes.test.finish()
  }

  @Test("may use the recorder that releases it")
  func recorder() {
    var reactions = 0
    var recorder: StreamRecorder<Int>?
    recorder = StreamRecorder(
      ForeignStream {
        reactions += 1
        recorder?.stop()
      })
    recorder?.stop()
    #expect(reactions == 2)
    recorder = nil
    #expect(reactions == 2)
  }

  @Test("may be released by a loop that was cancelled, and accept another value")
  @MainActor
  func loop() async {
    let relay = PublishRelay<Tracked>()
    var farewells = 0
    let reading = Task { @MainActor in
      var iterator = relay.asObservable().values.makeAsyncIterator()
      for number in 0..<3 {
        relay.accept(
          Tracked(number) {
            farewells += 1
            relay.accept(Tracked(9))
          })
      }
      withUnsafeCurrentTask { $0?.cancel() }
      #expect(await iterator.next(isolation: #isolation) == nil)
      #expect(farewells == 3)
      #expect(await iterator.next(isolation: #isolation) == nil)
    }
    await reading.value
  }

  @Test("may bind to the scope or bag that releases it with an ended subscription")
  func sweeping() {
    let bag = DisposeBag()
    let interactor = Scripted.Interactor()
    interactor.activate()
    var farewells = 0
    for _ in 0..<40 {
      let relay = BehaviorRelay(
        value: Goodbye {
          farewells += 1
          guard farewells <= 40 else { return }
          Disposables.create().disposed(by: bag)
          Disposables.create().disposeOnDeactivate(interactor: interactor)
        })
      relay.subscribe(onNext: { _ in }).disposed(by: bag)
      relay.subscribe(onNext: { _ in }).disposeOnDeactivate(interactor: interactor)
    }
    #expect(farewells > 0)
  }

  @Test("may send more values to the loop that has released it")
  @MainActor
  func looping() async {
    let relay = PublishRelay<Goodbye?>()
    var iterator = relay.asObservable().values.makeAsyncIterator()
    for _ in 0..<3 { relay.accept(Goodbye { relay.accept(nil) }) }
    var received: [Bool] = []
    for _ in 0..<6 { received.append(await iterator.next(isolation: #isolation)?.map { _ in true } ?? false) }
    #expect(received == [true, true, true, false, false, false])
  }
}
