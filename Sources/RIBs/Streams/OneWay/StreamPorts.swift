/// A place where events go into a `UnidirectionalStream`.
///
/// It is declared in the `Input` of a `StreamLogic`, and can do nothing by itself: events are sent through the stream's
/// `input`, and only the logic listens. So it does no harm to keep a port.
public final class InputPort<Value> {
  @usableFromInline let subject = Subject<Value>()

  /// Creates a port.
  @inlinable
  public init() {}

  @inlinable
  deinit { subject.complete() }
}

/// The outer side of a port: events can be sent, and not observed.
public struct InputSender<Value> {
  @usableFromInline let port: InputPort<Value>

  @inlinable
  init(_ port: InputPort<Value>) { self.port = port }

  /// Sends an event. What follows from it has happened when this returns, unless this is called while the port delivers
  /// another event, which comes first. A stream that has ended ignores it.
  @inlinable
  public func accept(_ value: Value) { port.subject.send(value) }
}

extension InputSender where Value == Void {
  /// Sends an event that says nothing but that it happened.
  @inlinable
  public func accept() { accept(()) }
}

/// The outer side of a stream's input: `stream.input.name` is what the port of that name is sent events by.
@dynamicMemberLookup
public struct StreamInput<Logic: StreamLogic> {
  @usableFromInline let ports: Logic.Input

  @inlinable
  init(_ ports: Logic.Input) { self.ports = ports }

  /// What a port is sent events by.
  @inlinable
  public subscript<Value>(dynamicMember port: KeyPath<Logic.Input, InputPort<Value>>) -> InputSender<Value> {
    InputSender(ports[keyPath: port])
  }
}

/// A piece of what a `UnidirectionalStream` remembers.
///
/// It is declared in the `State` of a `StreamLogic`, and can do nothing by itself: only the logic, to which the stream
/// shows its state, reads and writes it. So it does no harm to keep a cell.
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

/// What the logic of a stream uses a `StateCell` by.
public struct StateValue<Value>: ObservableType {
  @usableFromInline let subject: Subject<Value>

  @inlinable
  init(_ cell: StateCell<Value>) { subject = cell.subject }

  /// The value last accepted.
  @inlinable
  public var value: Value {
    // Set by the cell's initializer, and never taken away.
    subject.latest.unsafelyUnwrapped
  }

  /// Stores a value and delivers it to all subscribers, in the order in which they subscribed.
  ///
  /// - Complexity: linear in the number of subscribers.
  @inlinable
  public func accept(_ value: Value) { subject.accept(value) }

  /// What can be shown outside: the value, and its changes.
  @inlinable
  public var output: OutputValue<Value> { OutputValue(subject) }

  /// The value now, and each one accepted later.
  @inlinable
  public func asObservable() -> Observable<Value> { Observable(source: subject.subscribe) }

  /// Subscribes without an intermediate observable.
  @inlinable
  public func subscribe(onNext: @escaping (Value) -> Void, onCompleted: (() -> Void)?) -> any Disposable {
    subject.subscribe(AnyObserver(next: onNext, completed: onCompleted))
  }
}

/// A value that can be read and observed, and not written.
///
/// It is the reading end of a piece of a stream's state, or of a `BehaviorRelay`. When the writing end is gone, the value
/// stays what it was, and its subscribers have been told that no more come.
public struct OutputValue<Value>: ObservableType {
  @usableFromInline let subject: Subject<Value>

  @inlinable
  init(_ subject: Subject<Value>) { self.subject = subject }

  /// The reading end of a relay.
  @inlinable
  public init(_ relay: BehaviorRelay<Value>) { subject = relay.subject }

  /// The newest value.
  @inlinable
  public var value: Value {
    // Set when the cell or the relay is created, and never removed.
    subject.latest.unsafelyUnwrapped
  }

  /// The value now, and each later one.
  @inlinable
  public func asObservable() -> Observable<Value> { Observable(source: subject.subscribe) }

  /// Subscribes without an intermediate observable.
  @inlinable
  public func subscribe(onNext: @escaping (Value) -> Void, onCompleted: (() -> Void)?) -> any Disposable {
    subject.subscribe(AnyObserver(next: onNext, completed: onCompleted))
  }
}

/// What a stream shows to the outside: `stream.output.name` is the output of that name, to be read and observed.
///
/// It is also the part of a store that the RIBs below depend on: with it they can neither write nor send:
///
/// ```swift
/// protocol CartDependency: Dependency {
///   var session: StreamOutput<SessionLogic> { get }
/// }
/// ```
@dynamicMemberLookup
public struct StreamOutput<Logic: StreamLogic> {
  @usableFromInline let output: Logic.Output

  /// An output without a stream, as tests hand it to what depends on one.
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
