// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// An input of a `UnidirectionalStream`.
///
/// Declare it in the `Input` of a `StreamLogic`. A port has no methods of its own: code outside the stream sends events
/// through the stream's `input`, and only the logic observes them. Keeping a port gives no access to the stream.
public final class InputPort<Value> {
  @usableFromInline let subject = Subject<Value>()

  /// Creates a port.
  @inlinable
  public init() {}

  @inlinable
  deinit { subject.complete() }

  /// The write end of a port: it sends events, and can't observe them.
  public struct Sender {
    @usableFromInline let port: InputPort

    @inlinable
    init(_ port: InputPort) { self.port = port }

    /// Sends an event. Its effects have happened when this returns, unless the port is delivering another event: then
    /// this event is delivered after that one. A stream that has ended ignores the event.
    @inlinable
    public func accept(_ value: Value) { port.subject.send(value) }
  }
}

extension InputPort.Sender where Value == Void {
  /// Sends an event without a value.
  @inlinable
  public func accept() { accept(()) }
}

extension UnidirectionalStream {
  /// The input of a stream as seen from outside: `stream.input.name` sends events to the port of that name.
  @dynamicMemberLookup
  public struct Input {
    @usableFromInline let ports: Logic.Input

    @inlinable
    init(_ ports: Logic.Input) { self.ports = ports }

    /// The write end of a port.
    @inlinable
    public subscript<Value>(dynamicMember port: KeyPath<Logic.Input, InputPort<Value>>) -> InputPort<Value>.Sender {
      InputPort.Sender(ports[keyPath: port])
    }
  }
}

/// A value in the state of a `UnidirectionalStream`.
///
/// Declare it in the `State` of a `StreamLogic`. A cell has no methods of its own: the logic gets it as a `BehaviorRelay`
/// from its binding. Keeping a cell gives no access to the state.
public final class StateCell<Value> {
  @usableFromInline let relay: BehaviorRelay<Value>

  /// Creates a cell.
  ///
  /// - Parameter value: the first value.
  @inlinable
  public init(_ value: Value) { relay = BehaviorRelay(value: value) }

  @inlinable
  deinit { relay.subject.complete() }
}

/// A value that can be read and observed, but not written.
///
/// It is the read end of a `BehaviorRelay`, such as a cell of a stream's state. When the relay or the stream ends, the value
/// stays what it was, and the subscribers are notified of the end.
public struct OutputValue<Value>: ObservableType {
  @usableFromInline let subject: StateSubject<Value>

  /// Creates the read end of a relay.
  @inlinable
  public init(_ relay: BehaviorRelay<Value>) { subject = relay.subject }

  /// The current value.
  @inlinable
  public var value: Value { subject.latest }

  /// The current value, then each later one.
  @inlinable
  public func asObservable() -> Observable<Value> { Observable(source: subject.subscribe) }

  /// Subscribes without an intermediate observable.
  @inlinable
  public func subscribe(onNext: @escaping (Value) -> Void, onCompleted: (() -> Void)?) -> any Disposable {
    subject.subscribe(AnyObserver(next: onNext, completed: onCompleted))
  }
}

extension UnidirectionalStream {
  /// The output of a stream: `stream.output.name` reads and observes the output of that name.
  ///
  /// Pass it to RIBs further down as the read-only part of a store:
  ///
  /// ```swift
  /// protocol CartDependency: Dependency {
  ///   var session: UnidirectionalStream<SessionLogic>.Output { get }
  /// }
  /// ```
  @dynamicMemberLookup
  public struct Output {
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
}
