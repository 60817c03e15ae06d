/// How far the loading of a value has come, with the value that was there before.
///
/// It is what a stream says of something that is loaded by bound work, so that whoever shows it shows the old value while
/// a new one is on its way, and knows of a failure without losing it:
///
/// ```swift
/// final class RidesInteractor: Interactor {
///   let rides = BehaviorRelay<LoadState<Int, any Error>>(value: .idle)
///   private let client: RideClient
///
///   init(client: RideClient) { self.client = client }
///
///   func reload() {
///     task("reload", overlap: .ignoreWhileRunning) {
///       self.rides.accept(self.rides.value.begun())
///       do {
///         self.rides.accept(.loaded(try await self.client.rides()))
///       } catch {
///         self.rides.accept(self.rides.value.failed(with: error))
///       }
///     }
///   }
/// }
/// ```
///
/// Each change is there as a value that is returned, for relays, and as a change in place, for properties.
public enum LoadState<Value, Failure: Error> {
  /// Nothing was loaded, and nothing is on its way.
  case idle
  /// A value is on its way.
  case loading(previous: Value?)
  /// The value is here.
  case loaded(Value)
  /// The last attempt has failed.
  case failed(Failure, previous: Value?)

  /// The newest value that was loaded, also while another one is on its way, or when that has failed.
  public var value: Value? {
    switch self {
    case .idle: nil
    case .loading(let previous), .failed(_, let previous): previous
    case .loaded(let value): value
    }
  }

  /// Why the last attempt has failed; nil if it has not.
  public var failure: Failure? { if case .failed(let failure, _) = self { failure } else { nil } }

  /// Whether a value is on its way.
  public var isLoading: Bool { if case .loading = self { true } else { false } }

  /// The same state of what a closure makes of the value.
  public func map<NewValue>(_ transform: (Value) throws -> NewValue) rethrows -> LoadState<NewValue, Failure> {
    switch self {
    case .idle: .idle
    case .loading(let previous): .loading(previous: try previous.map(transform))
    case .loaded(let value): .loaded(try transform(value))
    case .failed(let failure, let previous): .failed(failure, previous: try previous.map(transform))
    }
  }

  // MARK: Changes

  /// The state when loading begins: the value that is there stays.
  public func begun() -> LoadState { .loading(previous: value) }

  /// The state when loading has failed: the value that is there stays.
  public func failed(with failure: Failure) -> LoadState { .failed(failure, previous: value) }

  /// The state when loading was given up, as when its interactor resigned: as if it had not begun, but for a failure
  /// before it, which is forgotten. Other states stay as they are.
  public func cancelled() -> LoadState {
    guard isLoading else { return self }
    return value.map { .loaded($0) } ?? .idle
  }

  /// Loading begins: the value that is there stays.
  public mutating func begin() { self = begun() }

  /// Loading has succeeded.
  public mutating func succeed(_ value: Value) { self = .loaded(value) }

  /// Loading has failed: the value that is there stays.
  public mutating func fail(_ failure: Failure) { self = failed(with: failure) }

  /// Loading was given up; see `cancelled()`.
  public mutating func cancel() { self = cancelled() }
}

extension LoadState: Sendable where Value: Sendable {}
extension LoadState: Equatable where Value: Equatable, Failure: Equatable {}
extension LoadState: Hashable where Value: Hashable, Failure: Hashable {}
