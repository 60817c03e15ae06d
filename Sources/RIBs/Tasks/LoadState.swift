// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

/// The progress of loading a value, with the previously loaded value.
///
/// Use it as the element of a stream that bound work updates. A view can then show the old value while a new one is
/// loading, and show a failure without losing the value:
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
/// Each transition exists in two forms: one returns the new state, for relays; one mutates in place, for properties.
public enum LoadState<Value, Failure: Error> {
  /// Nothing was loaded, and nothing is loading.
  case idle
  /// A value is loading.
  case loading(previous: Value?)
  /// A value was loaded.
  case loaded(Value)
  /// The last attempt failed.
  case failed(Failure, previous: Value?)

  /// The last value that was loaded, also while another one is loading or after that has failed.
  public var value: Value? {
    switch self {
    case .idle: nil
    case .loading(let previous), .failed(_, let previous): previous
    case .loaded(let value): value
    }
  }

  /// The error of the last attempt; nil if it did not fail.
  public var failure: Failure? { if case .failed(let failure, _) = self { failure } else { nil } }

  /// Whether a value is loading.
  public var isLoading: Bool { if case .loading = self { true } else { false } }

  /// The same state with the value transformed by a closure.
  public func map<NewValue>(_ transform: (Value) throws -> NewValue) rethrows -> LoadState<NewValue, Failure> {
    switch self {
    case .idle: .idle
    case .loading(let previous): .loading(previous: try previous.map(transform))
    case .loaded(let value): .loaded(try transform(value))
    case .failed(let failure, let previous): .failed(failure, previous: try previous.map(transform))
    }
  }

  // MARK: Transitions

  /// The state after loading begins. The current value is kept.
  public func begun() -> LoadState { .loading(previous: value) }

  /// The state after loading fails. The current value is kept.
  public func failed(with failure: Failure) -> LoadState { .failed(failure, previous: value) }

  /// The state after loading is cancelled, for example because the interactor resigned: the previous value as loaded,
  /// or `idle`. A failure before it is discarded. States other than `loading` are unchanged.
  public func cancelled() -> LoadState {
    guard isLoading else { return self }
    return value.map { .loaded($0) } ?? .idle
  }

  /// Begins loading. The current value is kept.
  public mutating func begin() { self = begun() }

  /// Records a loaded value.
  public mutating func succeed(_ value: Value) { self = .loaded(value) }

  /// Records a failure. The current value is kept.
  public mutating func fail(_ failure: Failure) { self = failed(with: failure) }

  /// Records a cancellation; see `cancelled()`.
  public mutating func cancel() { self = cancelled() }
}

extension LoadState: Sendable where Value: Sendable {}
extension LoadState: Equatable where Value: Equatable, Failure: Equatable {}
extension LoadState: Hashable where Value: Hashable, Failure: Hashable {}
