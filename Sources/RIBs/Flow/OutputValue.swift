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
