// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import RIBs
import RIBsLists
import RIBsTesting
import Testing

/// The scopes that a subscription can be bound to.
enum Binding: CaseIterable {
  case interactor, worker, bag, oneWayStream, composite
}

/// Long-lived scopes to which a test binds subscriptions.
final class Scopes {
  let interactor = Scripted.Interactor()
  let test = TestTree(recording: [])
  private let worker = Worker()
  private let bag = DisposeBag()
  private let oneWayStream: UnidirectionalStream<KeptLogic>
  private let binding: UnidirectionalStream<KeptLogic>.Binding

  init() {
    let keeper = KeptLogic.Keeper()
    oneWayStream = UnidirectionalStream(input: (), state: KeptLogic.State(), extra: keeper)
    guard let kept = keeper.binding else { fatalError("A stream binds its logic when it is created.") }
    binding = kept
    test.launch(interactor: interactor)
    worker.start(interactor)
  }

  func bind(_ token: any Disposable, to binding: Binding) {
    switch binding {
    case .interactor: token.disposeOnDeactivate(interactor: interactor)
    case .worker: token.disposeOnStop(worker)
    case .bag: token.disposed(by: bag)
    case .oneWayStream: token.disposed(by: self.binding)
    case .composite:
      Disposables.create(Disposables.create(), token).disposeOnDeactivate(interactor: interactor)
    }
  }

  /// What operators need in a scope.
  func surroundings(_ endless: BehaviorRelay<Tracked>, in population: Population? = nil) -> OperatorForm.Surroundings {
    OperatorForm.Surroundings(
      witness: Tracked(-2, in: population), endless: endless.asObservable(), scope: interactor)
  }

  /// A subscription to an operator of a relay.
  func subscription(
    to form: OperatorForm, of relay: BehaviorRelay<Tracked>, in population: Population? = nil
  ) -> any Disposable {
    form.make(relay.asObservable(), surroundings(relay, in: population)).subscribe(onNext: { _ in })
  }

  /// The number of subscriptions that the tree reports.
  var reportedCount: Int { test.tree?.snapshot().nodes.first?.subscriptions ?? -1 }
}

/// A logic that exposes its binding, to bind many short subscriptions, and to write its state.
enum KeptLogic: StreamLogic {
  typealias Input = Void
  struct State { let number = StateCell(0) }
  struct Output { let number: OutputValue<Int> }

  final class Keeper {
    var binding: UnidirectionalStream<KeptLogic>.Binding?
  }

  typealias Extra = Keeper

  static func bind(_ binding: UnidirectionalStream<KeptLogic>.Binding) -> Output {
    binding.extra.binding = binding
    return Output(number: OutputValue(binding.state.number))
  }
}

@Suite("A subscription that has ended")
struct EndedSubscriptionTests {
  /// With all bindings, a million for each operator where the tests are thorough.
  private static let rounds = Thoroughness.count(usual: 400, share: 4_000, whole: 200_000)
  /// More than a list holds of ended ones until it is swept, with all that one of them holds.
  private static let limit = 200

  @Test("is released by its scope, for every operator", arguments: OperatorForm.all, Binding.allCases)
  func released(form: OperatorForm, binding: Binding) {
    let (population, scopes) = (Population(), Scopes())
    let endless = BehaviorRelay(value: Tracked(-1))
    var ends = 0
    for round in 1...Self.rounds {
      var relay: BehaviorRelay<Tracked>? = BehaviorRelay(value: Tracked(round, in: population))
      guard let source = relay?.asObservable() else { return }
      let captured = Tracked(-3, in: population)
      let token = form.make(source, scopes.surroundings(endless, in: population))
        .subscribe(onNext: { #expect($0 != captured) }, onCompleted: { ends += captured.number == -3 ? 1 : 0 })
      scopes.bind(token, to: binding)
      relay?.accept(Tracked(1_000_000 + round, in: population))
      relay = nil
    }
    #expect(ends == (form.endsWithSource ? Self.rounds : 0))
    #expect(population.count < Self.limit)
    #expect(scopes.reportedCount == (form.endsWithSource ? 0 : scopes.reportedCount))
    scopes.test.finish()
  }

  @Test("is released by its scope after disposal", arguments: OperatorForm.all)
  func disposed(form: OperatorForm) {
    let (population, scopes) = (Population(), Scopes())
    let relay = BehaviorRelay(value: Tracked(0, in: population))
    for round in 1...Self.rounds {
      let token = scopes.subscription(to: form, of: relay, in: population)
      scopes.bind(token, to: .interactor)
      token.dispose()
      #expect(token.hasEnded)
      relay.accept(Tracked(round, in: population))
    }
    #expect(population.count < Self.limit)
    #expect(scopes.reportedCount == 0)
    scopes.test.finish()
  }

  @Test("counts as live until then", arguments: OperatorForm.all)
  func live(form: OperatorForm) {
    let scopes = Scopes()
    let relay = BehaviorRelay(value: Tracked(0))
    let isEndless = !form.symbol.hasPrefix("Observable.just") && !form.symbol.hasPrefix("Observable.empty")
    let isOver = form.testDescription.hasSuffix("of some") || form.testDescription.hasSuffix("with nothing")
    let token = scopes.subscription(to: form, of: relay)
    scopes.bind(token, to: .interactor)
    // A stream that never delivers has nothing to dispose of.
    let isLive = isEndless && !isOver && form.endsWithSource
    #expect(scopes.reportedCount == (isLive ? 1 : 0))
    #expect(token.hasEnded == !isLive)
    token.dispose()
    scopes.test.finish()
  }

  @Test("retains only a few delivered values while it is live", arguments: OperatorForm.all)
  func values(form: OperatorForm) {
    let (population, scopes) = (Population(), Scopes())
    let relay = BehaviorRelay(value: Tracked(0, in: population))
    let token = scopes.subscription(to: form, of: relay, in: population)
    for round in 1...Self.rounds { relay.accept(Tracked(round, in: population)) }
    #expect(population.count < 6)
    token.dispose()
    scopes.test.finish()
  }

  @Test("is tested with every public operator")
  func allOperators() throws {
    let list = try packageText("Tests/API/RIBs.txt")
    let symbols = list.split(separator: "\n").filter {
      ($0.hasPrefix("Observable.") || $0.hasPrefix("ObservableType.")) && $0.contains("-> Observable<")
        && !$0.hasPrefix("Observable.Values")
        // Ends a turn later; see SettledTests.
        && !$0.hasPrefix("ObservableType.settled")
    }
    #expect(symbols.count > 20)
    #expect(Set(symbols.map { $0.components(separatedBy: ": public")[0] }) == Set(OperatorForm.all.map(\.symbol)))
  }

  @Test("is not released before its stream has delivered all values")
  func completingStream() {
    let interactor = Scripted.Interactor()
    interactor.activate()
    let keeper = KeptLogic.Keeper()
    let stream = UnidirectionalStream<KeptLogic>(input: (), state: KeptLogic.State(), extra: keeper)
    var log: [String] = []
    stream.output.number.subscribe(onNext: { value in
      guard value == 1 else { return }
      keeper.binding?.state.number.accept(2)
      stream.dispose()
      // The list is swept while value 2 is enqueued.
      for _ in 0..<100 { Disposables.create().disposeOnDeactivate(interactor: interactor) }
      interactor.deactivate()
    }).disposeOnDeactivate(interactor: interactor)
    for _ in 0..<15 {
      stream.output.number.subscribe(onNext: { log.append("\($0)") }, onCompleted: { log.append("end") })
        .disposeOnDeactivate(interactor: interactor)
    }
    #expect(log == Array(repeating: "0", count: 15))
    let number = keeper.binding?.state.number
    number?.accept(1)
    #expect(log == Array(repeating: "0", count: 15))
    number?.accept(3)
    #expect(stream.output.number.value == 2)
  }

  @Test(
    "may be a token of another library",
    arguments: [false, true])
  func foreignTokens(saysSo: Bool) {
    let population = Population()
    let interactor = Scripted.Interactor()
    interactor.activate()
    for round in 0..<400 {
      let tracked = Tracked(round, in: population)
      let token: any Disposable = saysSo ? ForeignCancelable(tracked) : ForeignCancellable(tracked)
      token.disposeOnDeactivate(interactor: interactor)
      token.dispose()
    }
    #expect(saysSo ? population.count < Self.limit : population.count == 400)
    interactor.deactivate()
    #expect(population.count == 0)
  }

  @Test("counts as ended when it is a workflow, a one-way stream, a pager or a presenter")
  func otherDisposables() {
    let scopes = Scopes()
    let (test, interactor) = (scopes.test, scopes.interactor)
    let population = Population()
    for round in 0..<400 {
      let workflow = Workflow<Scripted.Interactor>()
      workflow.onStep { interactor in (interactor, Tracked(round, in: population)) }.commit()
      workflow.subscribe(interactor).disposeOnDeactivate(interactor: interactor)
      test.settle()
    }
    #expect(population.count < Self.limit)
    #expect(scopes.reportedCount == 0)
    let all: [any Disposable] = [
      UnidirectionalStream<KeptLogic>(input: (), state: .init(), extra: .init()),
      PacedPresenter<Int>(of: interactor) { _ in }, Pager<Int>(of: interactor) { $0.complete([], isLast: true) },
    ]
    for disposable in all {
      #expect(!disposable.hasEnded)
      disposable.dispose()
      #expect(disposable.hasEnded)
    }
    test.finish()
  }
}

/// Like Combine's token: cancellable, without a way to ask whether it was cancelled.
private final class ForeignCancellable {
  private let tracked: Tracked
  init(_ tracked: Tracked) { self.tracked = tracked }
  func cancel() {}
}

/// Like RxSwift's token.
private final class ForeignCancelable {
  private let tracked: Tracked
  private(set) var isDisposed = false
  init(_ tracked: Tracked) { self.tracked = tracked }
  func dispose() { isDisposed = true }
}

extension ForeignCancellable: Disposable { func dispose() { cancel() } }
extension ForeignCancelable: Disposable { var hasEnded: Bool { isDisposed } }
