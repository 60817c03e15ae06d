// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import PostgreSQLStore
import RIBs
import RIBsStore
import SQLiteStore
import Synchronization

/// A list of numbers that is saved.
final class NumbersInteractor: Interactor, Saving {
  struct SavedState: Codable, Sendable { var numbers: [Int] = [] }

  var savedState = SavedState() { didSet { setNeedsSave() } }

  /// With work that never ends, the tree is awake: a server opens it when it starts.
  override func didBecomeActive() {
    super.didBecomeActive()
    if NumbersServer.keepsTreesAwake { task { try await Task.sleep(for: .seconds(1e6)) } }
  }

  func append(_ number: Int) -> Int {
    savedState.numbers.append(number)
    return savedState.numbers.count
  }
}

/// A server process: a directory of trees behind a port.
///
/// A request is `append TREE NUMBER`, `read TREE`, or `opened` for the number of trees opened so far; an answer `ok …`, `elsewhere ADDRESS` or `error …`.
enum NumbersServer {
  typealias Trees = TreeDirectory<String, Router<NumbersInteractor>>

  /// Set by `keepTreesAwake()` for the servers that are started later.
  static let keepsTreesAwake = ProcessInfo.processInfo.environment["RIBS_OWNERS_AWAKE"] != nil
  static func keepTreesAwake() { setenv("RIBS_OWNERS_AWAKE", "1", 1) }

  private static let opened = Mutex(0)

  static func serve(store: String, port: UInt16, lease: Duration) async throws {
    let store = try await open(store, lease)
    let trees = Trees(
      "numbers", in: store,
      configuration: DirectoryConfiguration(
        idleAfter: TreeEvents.areRecorded ? nil : .milliseconds(700), interval: lease / 20, lease: lease,
        address: "127.0.0.1:\(port)"),
      tree: { _ in TreeConfiguration(leakDetection: .off) },
      onEvent: { event in
        switch event {
        case .fenced: TreeEvents.append("fenced")
        case .leaseEnded: TreeEvents.append("leaseEnded")
        case .leaseRevived: TreeEvents.append("leaseRevived")
        case .leaseLost: TreeEvents.append("leaseLost")
        default: break
        }
      }
    ) { (_: String) in
      opened.withLock { $0 += 1 }
      return Router(interactor: NumbersInteractor())
    }
    let running = Task { await trees.run() }
    let listener = try Sockets.listen(on: port).socket
    Thread.detachNewThread {
      while true {
        let client = accept(listener, nil, nil)
        guard client >= 0 else { continue }
        Thread.detachNewThread { serve(client, trees) }
      }
    }
    writeLine("ready", to: STDOUT_FILENO)
    try await inThread { while readLine() != nil {} }
    running.cancel()
    await trees.shutdown(timeout: .seconds(60))
    // Otherwise a thread may be connecting while the libraries of the process end.
    await (store as? PostgreSQLStore)?.close()
  }

  private static func open(_ store: String, _ lease: Duration) async throws -> any TreeStore {
    // As long as `DirectoryConfiguration.lease` allows.
    let timeout = lease * 2 / 5
    if store.hasPrefix("postgres:") { return try await PostgreSQLStore(store, timeout: timeout) }
    return try await SQLiteStore(path: store, busyTimeout: timeout)
  }

  /// Answers the requests of a client, one after the other.
  private static func serve(_ client: Int32, _ trees: Trees) {
    var lines = LineReader(client)
    while let line = lines.next() {
      let answered = DispatchSemaphore(value: 0)
      Task {
        writeLine(await answer(line.split(separator: " ").map(String.init), trees), to: client)
        answered.signal()
      }
      answered.wait()
    }
    close(client)
  }

  private static func answer(_ words: [String], _ trees: Trees) async -> String {
    do {
      if words == ["opened"] { return "ok \(opened.withLock { $0 })" }
      if words.count == 3, words[0] == "append", let number = Int(words[2]) {
        return "ok \(try await trees.perform(on: words[1]) { $0.interactor.append(number) })"
      }
      let numbers = try await trees.perform(on: words[1]) { $0.interactor.savedState.numbers }
      return "ok " + numbers.map(String.init).joined(separator: " ")
    } catch let elsewhere as TreeElsewhere where !elsewhere.address.isEmpty {
      return "elsewhere \(elsewhere.address)"
    } catch {
      return "error \(error)".replacingOccurrences(of: "\n", with: " ")
    }
  }
}
