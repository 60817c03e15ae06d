/// An input of a `UnidirectionalStream`, declared in the `Input` of its `StreamLogic`.
///
/// It has no members of its own: events are sent through the stream's `input`, and only the logic observes them.
/// Keeping a reference to a port is harmless.
public final class InputPort<Value> {
  @usableFromInline let subject = Subject<Value>()

  /// Creates a port.
  @inlinable
  public init() {}

  @inlinable
  deinit { subject.complete() }
}

/// The outer side of a port: events can be sent, but not observed.
public struct InputSender<Value> {
  @usableFromInline let port: InputPort<Value>

  @inlinable
  init(_ port: InputPort<Value>) { self.port = port }

  /// Sends an event synchronously. During a delivery of the same port, the event is enqueued and delivered after it.
  /// Ignored after the end of the stream.
  @inlinable
  public func accept(_ value: Value) { port.subject.send(value) }
}

extension InputSender where Value == Void {
  /// Sends an event without a value.
  @inlinable
  public func accept() { accept(()) }
}

/// The outer side of a stream's input: `stream.input.name` sends events to the port of that name.
@dynamicMemberLookup
public struct StreamInput<Logic: StreamLogic> {
  @usableFromInline let ports: Logic.Input

  @inlinable
  init(_ ports: Logic.Input) { self.ports = ports }

  /// The sender of a port.
  @inlinable
  public subscript<Value>(dynamicMember port: KeyPath<Logic.Input, InputPort<Value>>) -> InputSender<Value> {
    InputSender(ports[keyPath: port])
  }
}

/// A state variable of a `UnidirectionalStream`, declared in the `State` of its `StreamLogic`.
///
/// It has no members of its own: only the logic reads and writes it, through its binding. Keeping a reference to a
/// cell is harmless.
public final class StateCell<Value> {
  @usableFromInline let subject: Subject<Value>

  /// Creates a cell.
  ///
  /// - Parameter value: the first value.
  @inlinable
  public init(_ value: Value) { subject = Subject(latest: value) }

  @inlinable
  deinit { subject.complete() }
}

/// Read and write access to a `StateCell`, for the stream's logic.
public struct StateValue<Value>: ObservableType {
  @usableFromInline let subject: Subject<Value>

  @inlinable
  init(_ cell: StateCell<Value>) { subject = cell.subject }

  /// The last value accepted.
  @inlinable
  public var value: Value {
    // Set by the cell's initializer, and never removed.
    subject.latest.unsafelyUnwrapped
  }

  /// Stores a value and delivers it to all subscribers, in the order in which they subscribed.
  ///
  /// - Complexity: O(*n*) in the number of subscribers.
  @inlinable
  public func accept(_ value: Value) { subject.accept(value) }

  /// The read-only value, for the stream's output.
  @inlinable
  public var output: OutputValue<Value> { OutputValue(subject) }

  /// The current value, then each value accepted.
  @inlinable
  public func asObservable() -> Observable<Value> { Observable(source: subject.subscribe) }

  /// Subscribes without an intermediate observable.
  @inlinable
  public func subscribe(onNext: @escaping (Value) -> Void, onCompleted: (() -> Void)?) -> any Disposable {
    subject.subscribe(AnyObserver(next: onNext, completed: onCompleted))
  }
}

/// A value that can be read and observed, but not written.
///
/// It is the read-only side of a stream's state cell or of a `BehaviorRelay`. When the writable side is released, the
/// last value remains readable and subscribers receive the completion.
public struct OutputValue<Value>: ObservableType {
  @usableFromInline let subject: Subject<Value>

  @inlinable
  init(_ subject: Subject<Value>) { self.subject = subject }

  /// Creates the read-only side of a relay.
  @inlinable
  public init(_ relay: BehaviorRelay<Value>) { subject = relay.subject }

  /// The current value.
  @inlinable
  public var value: Value {
    // Set when the cell or the relay is created, and never removed.
    subject.latest.unsafelyUnwrapped
  }

  /// The current value, then each later one.
  @inlinable
  public func asObservable() -> Observable<Value> { Observable(source: subject.subscribe) }

  /// Subscribes without an intermediate observable.
  @inlinable
  public func subscribe(onNext: @escaping (Value) -> Void, onCompleted: (() -> Void)?) -> any Disposable {
    subject.subscribe(AnyObserver(next: onNext, completed: onCompleted))
  }
}

/// The outer side of a stream's output: `stream.output.name` reads and observes the output of that name.
///
/// Pass it to RIBs further down as the read-only part of a store:
///
/// ```swift
/// protocol CartDependency: Dependency {
///   var session: StreamOutput<SessionLogic> { get }
/// }
/// ```
@dynamicMemberLookup
public struct StreamOutput<Logic: StreamLogic> {
  @usableFromInline let output: Logic.Output

  /// Creates an output without a stream, for tests of code that depends on one.
  @inlinable
  public init(_ output: Logic.Output) { self.output = output }

  /// A value of the output.
  @inlinable
  public subscript<Value>(dynamicMember value: KeyPath<Logic.Output, OutputValue<Value>>) -> OutputValue<Value> {
    output[keyPath: value]
  }

  /// A stream of the output.
  @inlinable
  public subscript<Value>(dynamicMember stream: KeyPath<Logic.Output, Observable<Value>>) -> Observable<Value> {
    output[keyPath: stream]
  }
}
