// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// The logic of a `UnidirectionalStream`: one function that derives the output from the input.
///
/// A logic is a type without instances, usually an enumeration without cases. It declares the input, state, output
/// and external dependencies; `bind(_:)` connects them once:
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
///   static func bind(_ binding: UnidirectionalStream<CounterLogic>.Binding) -> Output {
///     let total = binding.state.total
///     binding.input.add.subscribe(onNext: { total.accept(total.value + $0) }).disposed(by: binding)
///     binding.input.clear.subscribe(onNext: { total.accept(0) }).disposed(by: binding)
///     return Output(total: OutputValue(total), isEven: total.asObservable().map { $0 % 2 == 0 })
///   }
/// }
/// ```
public protocol StreamLogic {
  /// The inputs: `InputPort`s.
  associatedtype Input
  /// The state: `StateCell`s. Only the logic can read and write them.
  associatedtype State
  /// The outputs: `OutputValue`s and `Observable`s. Members of other types can't be reached from outside.
  associatedtype Output
  /// The external dependencies: observables, outputs of other streams, constants.
  associatedtype Extra

  /// Connects the input to the output. Called once when a stream is created, on the tree.
  ///
  /// - Parameter binding: the input to observe, the state to write, the external dependencies, and the lifetime to
  ///   bind subscriptions to.
  /// - Returns: the output of the stream.
  static func bind(_ binding: UnidirectionalStream<Self>.Binding) -> Output
}

/// A store with one-way data flow: it accepts events, keeps state, and exposes an output.
///
/// The compiler guarantees the direction:
/// - from outside, the input can only be sent to, and the output only read and observed;
/// - only the logic can access the state, even if other code has created or kept a port or a cell;
/// - the logic can't send to its own input.
///
/// A stream lives in a scope. An interactor's stream is created for each activation and ends when the interactor
/// resigns:
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
/// A store that several RIBs share lives in the component of the RIB that owns it, created with `shared`. That RIB
/// sends events to it; RIBs further down receive only its `output`, so one store can't write to another.
///
/// When a stream ends, its logic's subscriptions are disposed of, last first, and its outputs complete. It ends with
/// its scope, on `dispose()`, and when the last reference to it is released.
public final class UnidirectionalStream<Logic: StreamLogic>: Disposable {
  /// The input, to send events to.
  public let input: Input
  /// The output, to read and observe.
  public let output: Output
  private let binding: Binding

  /// Creates a stream, and binds its logic.
  ///
  /// - Parameters:
  ///   - input: the input ports.
  ///   - state: the initial state.
  ///   - extra: the external dependencies of the logic.
  public init(input: Logic.Input, state: Logic.State, extra: Logic.Extra) {
    binding = Binding(input, state, extra)
    self.input = Input(input)
    output = Output(Logic.bind(binding))
  }

  deinit { binding.end() }

  /// Ends the stream: the logic receives no more events, and the outputs complete. Output values stay readable.
  public func dispose() { binding.end() }

  /// Whether the stream has ended.
  public var hasEnded: Bool { binding.hasEnded }
}

extension UnidirectionalStream where Logic.Extra == Void {
  /// Creates a stream without external dependencies, and binds its logic.
  ///
  /// - Parameters:
  ///   - input: the input ports.
  ///   - state: the initial state.
  public convenience init(input: Logic.Input, state: Logic.State) { self.init(input: input, state: state, extra: ()) }
}

extension UnidirectionalStream where Logic.State == Void {
  /// Creates a stream without state, and binds its logic.
  ///
  /// - Parameters:
  ///   - input: the input ports.
  ///   - extra: the external dependencies of the logic.
  public convenience init(input: Logic.Input, extra: Logic.Extra) { self.init(input: input, state: (), extra: extra) }
}

extension UnidirectionalStream where Logic.State == Void, Logic.Extra == Void {
  /// Creates a stream without state or external dependencies, and binds its logic.
  ///
  /// - Parameter input: the input ports.
  public convenience init(input: Logic.Input) { self.init(input: input, state: (), extra: ()) }
}

extension UnidirectionalStream {
  /// The parts that a `StreamLogic` connects: its input, its state, and what it needs from outside.
  public final class Binding {
    /// The input: `binding.input.name` observes the port of that name. The logic can't send to it.
    public var input: Members<Logic.Input> { Members(part: ports, binding: self) }
    /// The state: `binding.state.name` reads, writes and observes the cell of that name.
    public var state: Members<Logic.State> { Members(part: cells, binding: self) }
    /// What the logic needs from outside.
    public let extra: Logic.Extra

    private let ports: Logic.Input
    private let cells: Logic.State
    /// The ports and cells that the logic uses. They are few.
    private var used: [AnySubject] = []
    private let subscriptions = DisposableGroup()
    var hasEnded: Bool { subscriptions.hasEnded }

    init(_ ports: Logic.Input, _ cells: Logic.State, _ extra: Logic.Extra) {
      self.ports = ports
      self.cells = cells
      self.extra = extra
    }

    /// Binds a subscription to the lifetime of the stream.
    fileprivate func add(_ subscription: any Disposable) { subscriptions.add(subscription) }

    /// Records that the logic uses a port or a cell. Its subject completes with the stream, even if the port or cell is
    /// kept elsewhere.
    fileprivate func use(_ subject: AnySubject) {
      if hasEnded { return subject.complete() }
      if !used.contains(where: { $0 === subject }) { used.append(subject) }
    }

    func end() {
      guard !hasEnded else { return }
      subscriptions.dispose()
      let ending = used
      used = []
      for subject in ending { subject.complete() }
    }
  }
}

extension Disposable {
  /// Disposes of this subscription when the stream of the binding ends.
  public func disposed<Logic>(by binding: UnidirectionalStream<Logic>.Binding) { binding.add(self) }
}

extension UnidirectionalStream.Binding {
  /// The ports of the input, or the cells of the state, as the logic uses them.
  @dynamicMemberLookup
  public struct Members<Part> {
    fileprivate let part: Part
    fileprivate let binding: UnidirectionalStream.Binding

    /// The events that are sent to a port.
    public subscript<Value>(dynamicMember port: KeyPath<Part, InputPort<Value>>) -> Observable<Value> {
      let subject = part[keyPath: port].subject
      binding.use(subject)
      return Observable(source: subject.subscribe)
    }

    /// The relay of a cell. It ends with the stream, and its value stays.
    public subscript<Value>(dynamicMember cell: KeyPath<Part, StateCell<Value>>) -> BehaviorRelay<Value> {
      let relay = part[keyPath: cell].relay
      binding.use(relay.subject)
      return relay
    }
  }
}
