// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsTesting
import RxCompatibility
import Testing

private struct Refused: Error, CustomStringConvertible {
  var description: String { "Refused" }
}

private final class SingleInteractor: Interactor {
  var log: [String] = []

  override func didFail(_ error: any Error, of work: BoundWork) { log.append("didFail \(error)") }
}

private final class SingleWorker: Worker {
  var onStart: ((SingleWorker) -> Void)?

  override func didStart(_ interactorScope: any InteractorScope) {
    super.didStart(interactorScope)
    onStart?(self)
  }
}

@Suite("A single")
struct SingleTests {
  private let test = TestTree(recording: [])
  private let interactor = SingleInteractor()
  private let responses = PendingResponses<Int, String>()

  init() { test.launch(interactor: interactor) }

  /// The answer to a question, as a client gives it.
  private func fetch(_ number: Int) -> Single<String> {
    Single { [responses] in try await responses.answer(to: number) }
  }

  private func subscribe<Element>(_ single: Single<Element>) {
    single
      .subscribe(
        onSuccess: { [interactor] in interactor.log.append("success \($0)") },
        onFailure: { [interactor] in interactor.log.append("failure \($0)") }
      )
      .disposeOnDeactivate(interactor: interactor)
  }

  /// Waits for work off the tree.
  private func settle(until condition: () -> Bool) async { await test.settle(until: condition) }

  @Test("starts when it is bound, and delivers its value on the tree")
  func value() async {
    let subscription = fetch(1).subscribe(onSuccess: { [interactor] in interactor.log.append($0) })
    test.settle()
    #expect(responses.questions.isEmpty)
    subscription.disposeOnDeactivate(interactor: interactor)
    await settle { responses.questions == [1] }
    responses.respond(with: "one")
    await settle { !interactor.log.isEmpty }
    #expect(interactor.log == ["one"])
    #expect(test.runningWork.isEmpty)
    test.finish()
  }

  @Test("create: delivers one result, and calls no closure after its scope has ended", arguments: [false, true])
  func created(endsBefore: Bool) {
    var deliver: (Result<Int, any Error>) -> Void = { _ in }
    var isDisposed = false
    let single = Single<Int>.create { single in
      deliver = single
      return Disposables.create { isDisposed = true }
    }
    let transformed = single.map { [interactor] value in
      interactor.log.append("map \(value)")
      return "\(value)"
    }
    subscribe(transformed.flatMap { value in .just(value) })
    test.settle()
    if endsBefore { interactor.deactivate() }
    deliver(.success(1))
    deliver(.success(2))
    test.settle()
    #expect(interactor.log == (endsBefore ? [] : ["map 1", "success 1"]))
    if !endsBefore { interactor.deactivate() }
    #expect(isDisposed)
    interactor.activate()
    test.finish()
  }

  @Test("passes its error to onFailure, or to didFail, or becomes a value")
  func failure() async {
    subscribe(fetch(1))
    await settle { responses.questions.count == 1 }
    responses.fail(with: Refused())
    await settle { interactor.log.count == 1 }
    fetch(2).subscribe(onSuccess: { _ in }).disposeOnDeactivate(interactor: interactor)
    await settle { responses.questions.count == 1 }
    responses.fail(with: Refused())
    await settle { interactor.log.count == 2 }
    subscribe(fetch(3).catchAndReturn("none"))
    await settle { responses.questions.count == 1 }
    responses.fail(with: Refused())
    await settle { interactor.log.count == 3 }
    #expect(interactor.log == ["failure Refused", "didFail Refused", "success none"])
    test.finish()
  }

  @Test("subscribe(with:): passes an object, which it does not retain, to the handlers")
  func object() {
    final class Screen { var shown: [String] = [] }
    var screen: Screen? = Screen()
    weak let released = screen
    var deliver: [(Result<Int, any Error>) -> Void] = []
    let single = Single<Int>.create { single in
      deliver.append(single)
      return Disposables.create()
    }
    for _ in 1...4 {
      single
        .subscribe(
          with: screen!, onSuccess: { $0.shown.append("\($1)") }, onFailure: { $0.shown.append("failure \($1)") }
        )
        .disposeOnDeactivate(interactor: interactor)
    }
    single.subscribe(with: screen!) { $0.shown.append("\($1)") }.disposeOnDeactivate(interactor: interactor)
    deliver[0](.success(1))
    deliver[1](.failure(Refused()))
    #expect(screen?.shown == ["1", "failure Refused"])
    screen = nil
    #expect(released == nil)
    deliver[2](.success(3))
    deliver[3](.failure(Refused()))
    #expect(interactor.log.isEmpty)
    // Without a handler for errors, as without an object.
    deliver[4](.failure(Refused()))
    test.settle()
    #expect(interactor.log == ["didFail Refused"])
    test.finish()
  }

  @Test("is cancelled with its scope, and calls nothing after it")
  func scope() async {
    subscribe(fetch(1))
    await settle { responses.questions.count == 1 }
    interactor.deactivate()
    test.settle()
    #expect(interactor.log.isEmpty)
    test.finish()
  }

  @Test("that is bound to an inactive interactor is not started, and reported")
  func inactive() {
    interactor.deactivate()
    subscribe(fetch(1))
    test.settle()
    #expect(responses.questions.isEmpty && interactor.log.isEmpty)
    #expect(test.takeMisuses().count == 1)
    test.finish()
  }

  @Test("has the operators of Rx: map, flatMap, catch, do, just, error, create")
  func operators() {
    subscribe(Single.just(1).map { $0 + 1 })
    subscribe(Single.just(1).map { _ -> Int in throw Refused() })
    subscribe(Single.just(1).flatMap { .just("\($0)!") })
    subscribe(Single<Int>.error(Refused()).flatMap { .just($0) })
    subscribe(Single<Int>.error(Refused()).catch { .just("\($0)".count) })
    subscribe(Single.just(3).catchAndReturn(4))
    subscribe(Single.just(5).do(onSuccess: { [interactor] in interactor.log.append("do \($0)") }))
    subscribe(Single<Int>.error(Refused()).do(onError: { [interactor] in interactor.log.append("do \($0)") }))
    subscribe(Single<Int>.never())
    #expect(
      interactor.log == [
        "success 2", "failure Refused", "success 1!", "failure Refused", "success 7", "success 3", "do 5", "success 5",
        "do Refused", "failure Refused",
      ])
    interactor.log = []
    var pending: ((Result<String, any Error>) -> Void)?
    subscribe(
      Single.create { [interactor] single in
        pending = single
        return Disposables.create { interactor.log.append("disposed") }
      })
    #expect(interactor.log.isEmpty)
    pending?(.success("one"))
    pending?(.success("two"))
    #expect(interactor.log == ["success one", "disposed"])
    test.finish()
  }

  @Test("as a stream starts for each subscription, and replaces the previous one in flatMapLatest")
  func stream() async {
    let choice = PublishRelay<Int>()
    choice.asObservable()
      .flatMapLatest { [interactor, fetch] in fetch($0).catchAndReturn("none").asObservable(scheduler: interactor) }
      .subscribe(with: interactor, onNext: { $0.log.append($1) })
      .disposeOnDeactivate(interactor: interactor)
    choice.accept(1)
    await settle { responses.questions == [1] }
    choice.accept(2)
    await settle { responses.questions == [2] }
    responses.respond(with: "two")
    await settle { !interactor.log.isEmpty }
    #expect(interactor.log == ["two"])
    let failed = StreamRecorder(Single<Int>.error(Refused()).asObservable(scheduler: interactor))
    test.settle()
    #expect(failed.hasEnded && interactor.log == ["two", "didFail Refused"])
    test.finish()
  }

  @Test("is bound to a worker as to an interactor")
  func worker() async {
    let worker = SingleWorker()
    worker.onStart = { [fetch, interactor] in
      fetch(1).subscribe(onSuccess: { interactor.log.append($0) }).disposeOnStop($0)
    }
    worker.start(interactor)
    await settle { responses.questions == [1] }
    responses.respond(with: "one")
    await settle { !interactor.log.isEmpty }
    worker.stop()
    #expect(interactor.log == ["one"])
    test.finish()
  }
}
