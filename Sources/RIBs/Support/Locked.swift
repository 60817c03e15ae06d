// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

public import Synchronization

/// A mutex-protected value whose synchronization the thread sanitizer sees.
///
/// On Linux the sanitizer does not see the lock of a `Mutex` (Swift 6.3), but it sees the atomic flag pass from one
/// holder to the next. Without the flag it reports false races in every program with a tree.
@usableFromInline
package struct Locked<Value>: ~Copyable, Sendable {
  @usableFromInline let value: Mutex<Value>
  @usableFromInline let order = Atomic(false)

  package init(_ value: sending Value) { self.value = Mutex(value) }

  // Never inlined: in an optimized asynchronous function, the lock keeps the identity of the thread from before a
  // suspension, and traps when it is unlocked on another thread (Swift 6.3.1).
  @inlinable
  @inline(never)
  package func withLock<Result>(_ body: (inout sending Value) throws -> sending Result) rethrows -> sending Result {
    try withLockInlined(body)
  }

  /// The same, inlined: for synchronous functions that are not inlined themselves.
  @inlinable
  @inline(__always)
  package func withLockInlined<Result>(
    _ body: (inout sending Value) throws -> sending Result
  ) rethrows -> sending Result {
    try value.withLock { value in
      _ = order.load(ordering: .acquiring)
      defer { order.store(true, ordering: .releasing) }
      return try body(&value)
    }
  }
}
