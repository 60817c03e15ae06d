// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import TestDatabase

/// The server processes, at fixed ports.
final class Servers: Sendable {
  struct NotStarted: Error {}

  let ports: [UInt16]
  /// What each one connects to.
  private let stores: [String]
  private let processes: Mutex<[Int: ChildProgram]> = Mutex([:])

  init(stores: [String]) throws {
    self.stores = stores
    var listeners: [Int32] = []
    // All at once, so that the ports differ.
    ports = try stores.map { _ in
      let (listener, port) = try Sockets.listen(on: 0)
      listeners.append(listener)
      return port
    }
    for listener in listeners { close(listener) }
  }

  /// Starts a server, and waits until it accepts requests. Repeats that while the database is gone.
  func start(_ index: Int, lease: Double) throws {
    for _ in 0..<100 {
      let process = try ChildProgram(["serve", stores[index], "\(ports[index])", "\(lease)"])
      processes.withLock { $0[index] = process }
      if process.readLine() == "ready" { return }
      process.kill()
    }
    throw NotStarted()
  }

  func kill(_ index: Int) { processes.withLock { $0.removeValue(forKey: index) }?.kill() }

  func stop(_ index: Int) { processes.withLock { $0[index] }?.signal(SIGSTOP) }

  func resume(_ index: Int) { processes.withLock { $0[index] }?.signal(SIGCONT) }

  /// Ends all servers in order.
  func shutDown() {
    let all = processes.withLock { Array($0.values) }
    for process in all { process.closeInput() }
    for process in all { process.wait() }
    processes.withLock { $0 = [:] }
  }

  func end() { for index in ports.indices { kill(index) } }
}

extension Database {
  /// Records each write of a tree. Numbers are given while the row is locked, so they are in order for each row.
  static let recording = """
    CREATE TABLE write_log (number bigserial PRIMARY KEY, id text, fence bigint, version bigint, hash text);
    CREATE FUNCTION record_write() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
      INSERT INTO write_log (id, fence, version, hash)
      VALUES (NEW.kind || '/' || NEW.id, NEW.fence, NEW.version, coalesce(md5(NEW.document), ''));
      RETURN NULL;
    END $$;
    CREATE TRIGGER record_write AFTER INSERT OR UPDATE ON ribs_tree FOR EACH ROW EXECUTE FUNCTION record_write();
    """

  /// A larger fence is a claim, which leaves the record as it is; without a document, versions begin again at 0. With the
  /// same fence, the version is larger, or the same record is written again.
  static let violations = """
    SELECT id, old_fence, old_version, fence, version FROM (
      SELECT *, lag(fence) OVER w AS old_fence, lag(version) OVER w AS old_version, lag(hash) OVER w AS old_hash
        FROM write_log WINDOW w AS (PARTITION BY id ORDER BY number)) writes
     WHERE old_fence IS NOT NULL AND NOT (
       (fence > old_fence AND hash = old_hash AND version = CASE hash WHEN '' THEN 0 ELSE old_version END)
       OR (fence = old_fence AND (version > old_version OR (version = old_version AND hash = old_hash))))
    """
}
