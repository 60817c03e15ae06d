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
