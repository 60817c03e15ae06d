// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// A database with the thread that waits for its disk and for other processes, so that no thread of Swift's tasks does.
final class DatabaseThread: Sendable {
  /// Runs a call in a transaction. Returns a closure that answers it, to be called when the transaction is committed.
  typealias Call = @Sendable (SQLiteDatabase) throws -> @Sendable () -> Void

  let path: String
  private let queue = DispatchQueue(label: "SQLiteStore")
  /// Used on the queue only; nil before `open` and after `close`.
  private let database = Mutex<SQLiteDatabase?>(nil)

  init(path: String) { self.path = path }

  func open(busyTimeout: Duration, _ answer: @escaping @Sendable (Result<Void, any Error>) -> Void) {
    queue.async {
      answer(
        Result { try self.database.withLock { $0 = try SQLiteDatabase(path: self.path, busyTimeout: busyTimeout) } })
    }
  }

  /// Runs calls in one transaction.
  func run(_ calls: [Call], _ answer: @escaping @Sendable (Result<[@Sendable () -> Void], any Error>) -> Void) {
    queue.async {
      answer(
        Result {
          try self.database.withLock { database in
            guard let database else { throw SQLiteError.closed(self.path) }
            return try database.transaction { try calls.map { try $0(database) } }
          }
        })
    }
  }

  func close(_ answer: @escaping @Sendable () -> Void) {
    queue.async {
      self.database.withLock { $0 = nil }
      answer()
    }
  }
}
