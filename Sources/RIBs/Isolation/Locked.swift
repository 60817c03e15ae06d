internal import Synchronization

/// A mutex-protected value whose synchronization the thread sanitizer sees.
///
/// On Linux the sanitizer does not see the lock of a `Mutex` (Swift 6.3), but it sees the atomic flag pass from one
/// holder to the next. Without the flag it reports false races in every program with a tree.
package struct Locked<Value>: ~Copyable, Sendable {
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
