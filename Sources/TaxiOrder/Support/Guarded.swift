internal import Synchronization

/// A value protected by a mutex.
///
/// The thread sanitizer does not see the lock of a `Mutex` on Linux (Swift 6.3), so an atomic flag orders the
/// accesses for it.
package struct Guarded<Value>: ~Copyable, Sendable {
  private let value: Mutex<Value>
  private let order = Atomic(false)

  package init(_ value: sending Value) { self.value = Mutex(value) }

  package func withLock<Result>(_ body: (inout sending Value) throws -> sending Result) rethrows -> sending Result {
    try value.withLock { value in
      _ = order.load(ordering: .acquiring)
      defer { order.store(true, ordering: .releasing) }
      return try body(&value)
    }
  }
}
