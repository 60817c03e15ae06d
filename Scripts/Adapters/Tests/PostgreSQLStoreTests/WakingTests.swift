// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsStore
import Synchronization
import TestDatabase
import Testing

@testable import PostgreSQLStore

// Not beside the tests that change settings of the server.
extension PostgreSQLStoreTests {
  /// Two directories with connections and owners of their own, as in two processes. `Scripts/check-wakes` kills such processes.
  @Suite("Sleeping trees of two processes")
  struct WakingTests {
    private final class AlarmInteractor: Interactor, Saving {
      var savedState: WallTime? { didSet { setNeedsSave() } }
      private let onRing: @Sendable (WallTime) -> Void

      init(_ onRing: @escaping @Sendable (WallTime) -> Void) {
        self.onRing = onRing
        super.init()
      }

      override func didBecomeActive() {
        super.didBecomeActive()
        if savedState != nil { start() }
      }

      func ring(at time: WallTime) {
        savedState = time
        start()
      }

      private func start() {
        task {
          guard let time = self.savedState else { return }
          try await self.sleep(until: time)
          self.savedState = nil
          self.onRing(self.wallTime)
        }
      }
    }

    private typealias Alarms = TreeDirectory<Int, Router<AlarmInteractor>>

    /// What rang, by the ID of the tree: the process, and when.
    private final class Rings: Sendable {
      private let rings = Mutex<[Int: [(process: String, time: WallTime)]]>([:])

      func add(_ id: Int, _ process: String, _ time: WallTime) {
        rings.withLock { $0[id, default: []].append((process, time)) }
      }

      var all: [Int: [(process: String, time: WallTime)]] { rings.withLock { $0 } }
    }

    private let rings = Rings()
    private let kind = "alarm\(UInt64.random(in: .min ... .max))"

    private func directory(_ process: String) async throws -> Alarms {
      let url = try #require(Database.url)
      return TreeDirectory(
        kind, in: try await PostgreSQLStore(url),
        configuration: DirectoryConfiguration(idleAfter: .milliseconds(100), interval: .milliseconds(100)),
        build: { [rings] (id: Int) in
          Router(interactor: AlarmInteractor { time in rings.add(id, process, time) })
        })
    }

    @Test("are woken by either, also by the one that has not saved them, and once", arguments: ["first", "second"])
    func eitherProcess(waking: String) async throws {
      let (first, second) = (try await directory("first"), try await directory("second"))
      let time = WallTime.now + .seconds(3)
      let running = Task { await first.run() }
      for id in 0..<20 { try await first.perform(on: id) { $0.interactor.ring(at: time) } }
      while first.count > 0 { try await Task.sleep(for: .milliseconds(10)) }
      #expect(WallTime.now < time)
      let other = Task { await second.run() }
      if waking == "second" {
        running.cancel()
        await running.value
      } else {
        other.cancel()
        await other.value
      }
      while rings.all.count < 20 { try await Task.sleep(for: .milliseconds(10)) }
      for directory in [first, second] { await directory.shutdown() }
      for (id, rings) in rings.all {
        #expect(rings.map(\.process) == [waking], "\(id)")
        #expect(rings.allSatisfy { $0.time >= time }, "\(id)")
      }
      running.cancel()
      other.cancel()
      await running.value
      await other.value
    }

    @Test("are woken once if both run, and none is left")
    func bothProcesses() async throws {
      let directories = [try await directory("first"), try await directory("second")]
      let time = WallTime.now + .seconds(2)
      for id in 0..<200 { try await directories[id % 2].perform(on: id) { $0.interactor.ring(at: time) } }
      let running = directories.map { directory in Task { await directory.run() } }
      while rings.all.count < 200 { try await Task.sleep(for: .milliseconds(10)) }
      for task in running { task.cancel() }
      for task in running { await task.value }
      for directory in directories { await directory.shutdown() }
      #expect(rings.all.values.allSatisfy { $0.count == 1 && $0[0].time >= time })
    }
  }
}
