/// The logic of a `UnidirectionalStream`: one function that makes an output of an input.
///
/// A logic is a type without values, usually an enumeration without cases. It says what goes in, what comes out, what it
/// remembers in between, and what it needs; and `bind(_:)` connects them, once:
///
/// ```swift
/// enum CounterLogic: StreamLogic {
///   struct Input {
///     let add = InputPort<Int>()
///     let clear = InputPort<Void>()
///   }
///
///   struct State {
///     let total = StateCell(0)
///   }
///
///   struct Output {
///     let total: OutputValue<Int>
///     let isEven: Observable<Bool>
///   }
///
///   typealias Extra = Void
///
///   static func bind(_ binding: StreamBinding<CounterLogic>) -> Output {
///     let total = binding.state.total
///     binding.input.add.subscribe(onNext: { total.accept(total.value + $0) }).disposed(by: binding)
///     binding.input.clear.subscribe(onNext: { total.accept(0) }).disposed(by: binding)
///     return Output(total: total.output, isEven: total.asObservable().map { $0 % 2 == 0 })
///   }
/// }
/// ```
public protocol StreamLogic {
  /// What goes in: `InputPort`s.
  associatedtype Input
  /// The state of the logic: `StateCell`s. Only the logic can read and write them.
  associatedtype State
  /// What comes out: `OutputValue`s and `Observable`s. Anything else in it can't be reached from outside.
  associatedtype Output
  /// What the logic needs from outside: observables, outputs of other streams, constants.
  associatedtype Extra

  /// Connects the input to the output. Called once for each stream, when it is made, where the tree runs.
  ///
  /// - Parameter binding: the input to listen to, the state to write, what the logic needs, and what its subscriptions are
  ///   bound to.
  /// - Returns: what the stream shows to the outside.
  static func bind(_ binding: StreamBinding<Self>) -> Output
}
