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
