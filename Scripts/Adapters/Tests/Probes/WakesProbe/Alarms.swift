// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RIBs
import RIBsStore

/// A tree that rings at a time, and once more ten seconds later.
final class AlarmInteractor: Interactor, Saving {
  struct SavedState: Codable, Sendable {
    var ringsAt: WallTime?
    var rings = 0
  }

  static let pause = Duration.seconds(10)
  var savedState = SavedState() { didSet { setNeedsSave() } }
  private let id: Int

  init(_ id: Int) {
    self.id = id
    super.init()
  }

  override func didBecomeActive() {
    super.didBecomeActive()
    guard savedState.ringsAt != nil else { return }
    task {
      while let time = self.savedState.ringsAt {
        try await self.sleep(until: time)
        // Printed before it is saved: a process that is killed in between rings once too often.
        Alarms.ring(self.id, self.savedState.rings + 1, time, self.wallTime)
        self.savedState = SavedState(
          ringsAt: self.savedState.rings == 0 ? time + AlarmInteractor.pause : nil, rings: self.savedState.rings + 1)
      }
    }
  }
}

enum Alarms {
  private static let kind = "alarm"

  /// Writes a line with one call, so that a kill leaves it whole or not there.
  static func ring(_ id: Int, _ number: Int, _ time: WallTime, _ now: WallTime) {
    let line = Array("\(id) \(number) \(time.microsecondsSince1970) \(now.microsecondsSince1970)\n".utf8)
    _ = line.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
  }

  /// Saves sleeping trees, whose times are over ten seconds.
  static func save(_ count: Int, in location: StoreLocation, from first: Int64) async throws {
    let store = try await location.open()
    let owner = TreeOwner()
    _ = try await store.renew(owner, for: .seconds(3_600))
    let host = await TreeHost { Router(interactor: AlarmInteractor(0)) }
    // A database copies the first tree itself.
    let saved = location.copiesTrees ? 1 : count
    for start in stride(from: 0, to: saved, by: 1_000) {
      var records: [TreeRecord] = []
      for id in start..<min(start + 1_000, saved) {
        let time = WallTime(microsecondsSince1970: first + 10_000_000 * Int64(id) / Int64(count))
        try await host.perform { $0.interactor.savedState.ringsAt = time }
        let key = TreeKey(kind: kind, id: "\(id)")
        guard case .claimed(let fence, _) = try await store.claim(key, by: owner, schema: 1) else { continue }
        records.append(
          TreeRecord(
            key: key, fence: fence, version: 1, schema: 1,
            content: .document(try await host.save().encoded(by: JSONStateCoder())), isAwake: false, wakes: time,
            isReleased: true))
      }
      guard try await store.save(records).isEmpty else { throw NotSaved() }
    }
    try location.copyTree(to: count, from: first)
  }

  private struct NotSaved: Error {}

  /// Wakes the trees until the process is killed, or its input ends.
  static func serve(_ location: StoreLocation, forgets: Bool) async throws {
    let start = ContinuousClock.now
    let opened = try await location.open()
    let store: any TreeStore = forgets ? ForgetfulStore(base: opened) : opened
    let alarms = TreeDirectory(
      kind, in: store,
      configuration: DirectoryConfiguration(
        idleAfter: .seconds(1), limit: 10_000, interval: .milliseconds(200), lease: .seconds(3)),
      onEvent: { event in
        switch event {
        case .quarantined, .failed: FileHandle.standardError.write(Data("\(event)\n".utf8))
        default: break
        }
      },
      build: { (id: Int) in Router(interactor: AlarmInteractor(id)) })
    let running = Task { await alarms.run() }
    // The first call of a new tree of its own is answered: the process is ready.
    _ = try await alarms.perform(on: -Int(ProcessInfo.processInfo.processIdentifier)) { _ in }
    let ready = start.duration(to: .now)
    FileHandle.standardError.write(Data("ready after \(Int(ready / .milliseconds(1))) ms\n".utf8))
    await Task.detached { _ = try? FileHandle.standardInput.readToEnd() }.value
    running.cancel()
    await running.value
    await alarms.shutdown()
  }
}

/// A store that leaves the wake time out of the last save of one tree.
private struct ForgetfulStore: ForwardingStore {
  let base: any TreeStore

  func save(_ records: [TreeRecord]) async throws -> Set<TreeKey> {
    try await base.save(
      records.map { record in
        guard record.key.id == "7", record.isReleased else { return record }
        return TreeRecord(
          key: record.key, fence: record.fence, version: record.version, schema: record.schema,
          content: record.content, isAwake: record.isAwake, wakes: nil, isReleased: true)
      })
  }
}
