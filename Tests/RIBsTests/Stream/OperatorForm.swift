// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import Testing

/// One way to derive a stream: an operator, with the source in one of its positions.
struct OperatorForm: Sendable, CustomTestStringConvertible {
  /// The declaration, as listed in the public API.
  let symbol: String
  /// The position of the source, if there are several.
  let place: String
  let make: @Sendable (Observable<Tracked>, Surroundings) -> Observable<Tracked>

  var testDescription: String { symbol + place }

  /// Whether it completes when the source does.
  var endsWithSource: Bool { symbol != "Observable.never()" }

  /// Other objects that an operator needs.
  struct Surroundings {
    /// Captured by all closures.
    let witness: Tracked
    /// A stream with a value that never completes.
    let endless: Observable<Tracked>
    /// An active scope.
    let scope: Interactor
  }

  init(
    _ symbol: String, _ place: String = "",
    _ make: @escaping @Sendable (Observable<Tracked>, Surroundings) -> Observable<Tracked>
  ) {
    self.symbol = symbol
    self.place = place
    self.make = make
  }

  static let all: [OperatorForm] = transforming + selecting + combining + making

  private static let transforming = [
    OperatorForm("ObservableType.map(_:)") { source, at in source.map { at.witness == $0 ? at.witness : $0 } },
    OperatorForm("ObservableType.compactMap(_:)") { source, at in
      source.compactMap { at.witness == $0 ? at.witness : $0 }
    },
    OperatorForm("ObservableType.scan(_:accumulator:)") { source, at in
      source.scan(at.witness) { at.witness == $0 ? $1 : $1 }
    },
    OperatorForm("ObservableType.flatMap(_:)", " outside") { source, at in
      source.flatMap { at.witness == $0 ? Observable.just(at.witness) : Observable.just($0) }
    },
    OperatorForm("ObservableType.flatMap(_:)", " inside") { source, at in
      Observable.just(at.witness).flatMap { _ in source }
    },
    OperatorForm("ObservableType.flatMapLatest(_:)", " outside") { source, at in
      source.flatMapLatest { at.witness == $0 ? Observable.just(at.witness) : Observable.just($0) }
    },
    OperatorForm("ObservableType.flatMapLatest(_:)", " inside") { source, at in
      Observable.just(at.witness).flatMapLatest { _ in source }
    },
    OperatorForm("ObservableType.flatMapLatest(_:)", " outside and inside") { source, _ in
      source.flatMapLatest { source.startWith($0) }
    },
  ]

  private static let selecting = [
    OperatorForm("ObservableType.filter(_:)") { source, at in source.filter { at.witness != $0 } },
    OperatorForm("ObservableType.distinctUntilChanged()") { source, _ in source.distinctUntilChanged() },
    OperatorForm("ObservableType.distinctUntilChanged(_:)") { source, at in
      source.distinctUntilChanged { $0 == at.witness && $1 == at.witness }
    },
    OperatorForm("ObservableType.skip(_:)") { source, _ in source.skip(1) },
    OperatorForm("ObservableType.take(_:)", " of all") { source, _ in source.take(.max) },
    OperatorForm("ObservableType.take(_:)", " of some") { source, _ in source.take(1) },
    OperatorForm("ObservableType.confineTo(_:)") { source, at in source.confineTo(at.scope) },
  ]

  private static let combining = [
    OperatorForm("ObservableType.startWith(_:)") { source, at in source.startWith(at.witness) },
    OperatorForm("ObservableType.withLatestFrom(_:)", " on the left") { source, at in
      source.withLatestFrom(at.endless)
    },
    OperatorForm("ObservableType.withLatestFrom(_:)", " on both sides") { source, _ in source.withLatestFrom(source) },
    OperatorForm("ObservableType.withLatestFrom(_:resultSelector:)", " on the left") { source, at in
      source.withLatestFrom(at.endless) { value, other in other == at.witness ? at.witness : value }
    },
    OperatorForm("ObservableType.withLatestFrom(_:resultSelector:)", " on the right") { source, at in
      source.take(9).withLatestFrom(source) { _, value in at.witness == value ? at.witness : value }
    },
    OperatorForm("Observable.merge(_:)", " of several") { source, at in Observable.merge(source, .just(at.witness)) },
    OperatorForm("Observable.merge(_:)", " of an array") { source, at in
      Observable.merge([.just(at.witness), source, .empty()])
    },
    OperatorForm("Observable.combineLatest(_:_:)") { source, at in
      Observable.combineLatest(source, Observable.just(at.witness)).map(\.0)
    },
    OperatorForm("Observable.combineLatest(_:_:resultSelector:)", " on the left") { source, at in
      Observable.combineLatest(source, Observable.just(at.witness)) { at.witness == $0 ? $1 : $0 }
    },
    OperatorForm("Observable.combineLatest(_:_:resultSelector:)", " on the right") { source, at in
      Observable.combineLatest(Observable.just(at.witness), source) { at.witness == $1 ? $0 : $1 }
    },
    OperatorForm("Observable.combineLatest(_:_:resultSelector:)", " with nothing") { source, _ in
      Observable.combineLatest(source, Observable<Tracked>.empty()) { $1 == $0 ? $0 : $1 }
    },
    OperatorForm("Observable.combineLatest(_:_:_:)") { source, at in
      Observable.combineLatest(Observable.just(at.witness), source, Observable.just(1)).map(\.1)
    },
    OperatorForm("Observable.combineLatest(_:_:_:resultSelector:)") { source, at in
      Observable.combineLatest(Observable.just(1), Observable.just(at.witness), source) { _, _, value in value }
    },
  ]

  private static let making = [
    OperatorForm("ObservableType.asObservable()") { source, _ in source.asObservable() },
    OperatorForm("Observable.asObservable()") { source, _ in source.asObservable() },
    OperatorForm("Observable.create(_:)") { source, at in
      Observable.create { observer in
        let subscription = source.subscribe(
          onNext: { observer.onNext(at.witness == $0 ? at.witness : $0) }, onCompleted: observer.onCompleted)
        return Disposables.create(subscription, Disposables.create { subscription.dispose() })
      }
    },
    OperatorForm("Observable.just(_:)") { _, at in Observable.just(at.witness) },
    OperatorForm("Observable.empty()") { _, _ in Observable.empty() },
    OperatorForm("Observable.never()") { _, _ in Observable.never() },
  ]
}
