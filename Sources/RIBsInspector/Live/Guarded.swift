internal import Synchronization

/// A value that several threads use, one at a time: `Locked` of `RIBs`, in this module, where the compiler specializes it.
/// Trees lock with every event, and the generic code of another module takes 600 instructions more.
///
/// The thread sanitizer does not see the lock of a `Mutex` on Linux (Swift 6.3). It sees the flag beside it.
struct Guarded<Value>: ~Copyable, Sendable {
  private let value: Mutex<Value>
  private let order = Atomic(false)

  init(_ value: sending Value) { self.value = Mutex(value) }

  func withLock<Result>(_ body: (inout sending Value) throws -> sending Result) rethrows -> sending Result {
    try value.withLock { value in
      _ = order.load(ordering: .acquiring)
      defer { order.store(true, ordering: .releasing) }
      return try body(&value)
    }
  }
}
