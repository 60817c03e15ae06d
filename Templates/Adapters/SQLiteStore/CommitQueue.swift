// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// Runs calls in transactions, one transaction at a time. The calls that arrive during a commit share the next one.
final class CommitQueue: Sendable {
  struct Call: Sendable {
    /// How a call is ordered among those that wait.
    enum Order: Sendable {
      /// Before all others: a lease may be about to end.
      case first
      case shared
      /// In a transaction of its own: a large document takes long to write.
      case alone
    }

    var order = Order.shared
    /// Runs the call. Returns a closure that answers it, to be called when the transaction is committed.
    let run: @Sendable (SQLiteDatabase) throws -> @Sendable () -> Void
    /// Answers the call with an error.
    let fail: @Sendable (any Error) -> Void
  }

  /// Its thread waits for the disk and for other processes, so that no thread of Swift's tasks does.
  private let queue = DispatchQueue(label: "SQLiteStore")
  /// Used on the queue only; nil before `open` and after `close`.
  private let database = Mutex<SQLiteDatabase?>(nil)
  private let waiting = Mutex<[Call]>([])

  func open(path: String, busyTimeout: Duration, _ answer: @escaping @Sendable (Result<Void, any Error>) -> Void) {
    queue.async {
      answer(Result { try self.database.withLock { $0 = try SQLiteDatabase(path: path, busyTimeout: busyTimeout) } })
    }
  }

  // Not inlined: an optimized asynchronous function can unlock a mutex on another thread (Swift 6.3).
  @inline(never)
  func append(_ call: Call) {
    waiting.withLock { $0.insert(call, at: call.order == .first ? 0 : $0.count) }
    queue.async { self.commitWaiting() }
  }

  /// Closes the database, when the calls before are answered. Later calls fail.
  func close(_ answer: @escaping @Sendable () -> Void = {}) {
    queue.async {
      self.database.withLock { $0 = nil }
      answer()
    }
  }

  /// Commits the calls that wait, up to a limit. There are none if the block of an earlier call has taken them.
  private func commitWaiting() {
    let calls = waiting.withLock { waiting in
      let alone = waiting.prefix(256).firstIndex { $0.order == .alone } ?? min(waiting.count, 256)
      let calls = Array(waiting.prefix(max(alone, 1)))
      waiting.removeFirst(calls.count)
      return calls
    }
    if !calls.isEmpty { database.withLock { commit(calls, in: $0) } }
  }

  private func commit(_ calls: [Call], in database: SQLiteDatabase?) {
    // Divided until the call is found that makes the others fail. Nothing of a transaction that fails is written.
    var parts = [calls]
    while let part = parts.popLast() {
      do {
        guard let database else {
          throw SQLiteError(path: "", code: 0, message: "The store was closed before this call")
        }
        let answers = try database.transaction { try part.map { try $0.run(database) } }
        for answer in answers { answer() }
      } catch {
        if (error as? SQLiteError)?.isBusy == true {
          // Each of them would wait as long for the other process.
          for call in part + parts.joined() + takeWaiting() { call.fail(error) }
          return
        }
        if part.count == 1 {
          part[0].fail(error)
        } else {
          parts.append(Array(part[(part.count / 2)...]))
          parts.append(Array(part[..<(part.count / 2)]))
        }
      }
    }
  }

  // Not inlined: an optimized asynchronous function can unlock a mutex on another thread (Swift 6.3).
  @inline(never)
  private func takeWaiting() -> [Call] {
    waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
  }
}
