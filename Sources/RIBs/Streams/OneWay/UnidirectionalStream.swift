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

/// Takes events in, keeps state, and shows an output, by a logic that connects them once.
///
/// The compiler guarantees that everything goes one way:
/// - from outside, the input can only be sent to, and the output only be read and observed;
/// - only the logic can reach the state: code that has created it, or has kept a port or a cell, can't;
/// - the logic can't send to its own input.
///
/// A stream lives in a scope. That of an interactor is made for each activation, and gone when the interactor resigns:
///
/// ```swift
/// final class CounterInteractor: Interactor {
///   private var counter: UnidirectionalStream<CounterLogic> {
///     scoped { UnidirectionalStream(input: CounterLogic.Input(), state: CounterLogic.State()) }
///   }
///
///   override func didBecomeActive() {
///     super.didBecomeActive()
///     counter.output.total
///       .subscribe(onNext: { total in print(total) })
///       .disposeOnDeactivate(interactor: self)
///   }
///
///   func tap() { counter.input.add.accept(1) }
/// }
/// ```
///
/// A store that several RIBs share lives in the component of the RIB that owns it, made with `shared`. That RIB sends to
/// it; everybody below gets its `output` only, so that one store can't write to another.
///
/// When a stream ends, its logic's subscriptions are disposed of, the last first, and its outputs end. It ends with the
/// scope that it was made for, by `dispose()`, and when the last reference to it goes.
public final class UnidirectionalStream<Logic: StreamLogic>: Disposable {
  /// Where events are sent.
  public let input: StreamInput<Logic>
  /// What can be read and observed.
  public let output: StreamOutput<Logic>
  private let binding: StreamBinding<Logic>

  /// Makes a stream, and binds its logic.
  ///
  /// - Parameters:
  ///   - input: the ports that events go in by.
  ///   - state: what the logic remembers, as it is in the beginning.
  ///   - extra: what the logic needs from outside.
  public init(input: Logic.Input, state: Logic.State, extra: Logic.Extra) {
    binding = StreamBinding(input, state, extra)
    self.input = StreamInput(input)
    output = StreamOutput(Logic.bind(binding))
  }

  deinit { binding.end() }

  /// Ends the stream: its logic receives nothing more, and its outputs end. Their values can still be read.
  public func dispose() { binding.end() }

  /// Whether the stream has ended.
  public var hasEnded: Bool { binding.hasEnded }
}

extension UnidirectionalStream where Logic.Extra == Void {
  /// Makes a stream whose logic needs nothing from outside, and binds it.
  ///
  /// - Parameters:
  ///   - input: the ports that events go in by.
  ///   - state: what the logic remembers, as it is in the beginning.
  public convenience init(input: Logic.Input, state: Logic.State) { self.init(input: input, state: state, extra: ()) }
}

extension UnidirectionalStream where Logic.State == Void {
  /// Makes a stream whose logic remembers nothing, and binds it.
  ///
  /// - Parameters:
  ///   - input: the ports that events go in by.
  ///   - extra: what the logic needs from outside.
  public convenience init(input: Logic.Input, extra: Logic.Extra) { self.init(input: input, state: (), extra: extra) }
}

extension UnidirectionalStream where Logic.State == Void, Logic.Extra == Void {
  /// Makes a stream whose logic remembers nothing and needs nothing, and binds it.
  ///
  /// - Parameter input: the ports that events go in by.
  public convenience init(input: Logic.Input) { self.init(input: input, state: (), extra: ()) }
}
