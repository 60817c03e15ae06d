internal import Synchronization

/// A value that several threads use, one at a time, in a way that the thread sanitizer understands.
///
/// It does not see the lock of a `Mutex` on Linux (Swift 6.3), but it sees the flag beside it go from one holder to the
/// next. Without it, each program with a tree has races reported that are none.
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
