internal import Synchronization

/// A value that one thread at a time looks at.
final class Locked<Value>: Sendable {
  private let value: Mutex<Value>
  /// Written by each holder of the lock, and read by the next: the thread sanitizer does not see the lock of a `Mutex` on
  /// Linux (Swift 6.3), but it sees this value go from one holder to the next.
  private let order = Atomic(false)

  init(_ value: sending Value) { self.value = Mutex(value) }

  func callAsFunction<Result>(_ body: (inout sending Value) -> sending Result) -> sending Result {
    value.withLock { value in
      _ = order.load(ordering: .acquiring)
      defer { order.store(true, ordering: .releasing) }
      return body(&value)
    }
  }
}
