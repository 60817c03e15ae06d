// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RIBs
import TestSupport
import Testing

@testable import RIBsStore

@Suite("Trees that sleep until a time in a store in files", .timeLimit(.minutes(15)))
struct FileStoreWakeTests {
  private let machine = SimulatedMachine()
  /// The time by the clock of the stores.
  private let time = Shared(WallTime.noon)

  private func open() throws -> Trees {
    Trees(
      store: try FileStore(directory: "data", system: machine, wallTime: { [time] in time.value }, wakeCapacity: 64))
  }

  /// The names of the files of wake times.
  private var files: [String] {
    machine.paths.filter { $0.contains("/wakes/") }.map { String($0.dropFirst("data/order/wakes/".count)) }
  }

  @Test("has an empty file for each sleeping tree with a time, in a folder of ten minutes, and none for others")
  func layout() async throws {
    let trees = try open()
    let last = WallTime.noon + .seconds(600) - .microseconds(1)
    try await trees.save("a/b", "", wakes: last)
    try await trees.save("2", "", wakes: .noon)
    try await trees.save("3", "", wakes: .noon + .seconds(600))
    try await trees.save("ancient", "", wakes: WallTime(microsecondsSince1970: .min))
    try await trees.save("last", "", wakes: WallTime(microsecondsSince1970: .max))
    try await trees.save("awake", "", isAwake: true, wakes: .noon)
    try await trees.save("never", "")
    #expect(
      files.sorted() == [
        "+294247-01-10T0400/054775807-last", "1970-01-01T0000/000000000-ancient", "2026-01-01T1200/000000000-2",
        "2026-01-01T1200/599999999-a%2Fb", "2026-01-01T1210/000000000-3",
      ])
    #expect(files.allSatisfy { machine.bytes(of: "data/order/wakes/" + $0) == [] })
    #expect(
      machine.text(of: "data/order/asleep/2.json")
        == #"{"bytes":0,"checksum":"8f38e8048cd61872","fence":2,"id":"2","kind":"order","schema":1,"store":1,"version":1,"wakes":1767268800000000}"#
        + "\n")
    for (id, wakes) in [("a/b", last), ("ancient", WallTime(microsecondsSince1970: .min)), ("awake", .noon)] {
      #expect(try await trees.claim(id).saved?.wakes == wakes)
    }
    #expect(try await trees.claim("never").saved?.wakes == nil)
  }

  @Test("finds trees when their time has come, the oldest first, and those that were awake before them")
  func order() async throws {
    for isReopened in [false, true] {
      time.value = .noon
      var trees = try open()
      for (id, seconds) in [("3", 3), ("1", 1), ("2", 2), ("4", 86_400), ("past", -86_400)] {
        try await trees.save(id, "", wakes: .noon + .seconds(seconds))
      }
      try await trees.save("awake", "", isAwake: true)
      if isReopened {
        await trees.store.close()
        trees = try open()
      }
      var transcript: [[String]] = []
      for milliseconds in [0, 999, 1_000, 2_500, 3_000, 86_399_999, 86_400_000] {
        time.value = .noon + .milliseconds(milliseconds)
        transcript.append(try await trees.due())
      }
      #expect(
        transcript == [
          ["awake", "past"], ["awake", "past"], ["awake", "past", "1"], ["awake", "past", "1", "2"],
          ["awake", "past", "1", "2", "3"], ["awake", "past", "1", "2", "3"], ["awake", "past", "1", "2", "3", "4"],
        ])
      #expect(try await trees.due(3) == ["awake", "past", "1"])
      await trees.store.close()
      machine.killProcess()
    }
  }

  @Test("costs nothing while a tree is awake, and one empty file and one folder while it sleeps")
  func cost() async throws {
    let trees = try open()
    let claim = try await trees.claim("1")
    for version in 1...3 as ClosedRange<UInt64> {
      machine.plan()
      let wakes = WallTime.noon + .seconds(Int(version))
      #expect(
        try await trees.store.save([claim.record("", version: version, isAwake: true, wakes: wakes)]) == [])
      #expect(!machine.calls.contains { $0.contains("wakes") })
    }
    machine.plan()
    let release = claim.record(.unchanged, version: 4, wakes: .noon + .seconds(3), isReleased: true)
    #expect(try await trees.store.save([release]) == [])
    // The header has the time already.
    #expect(!machine.calls.contains { $0.hasPrefix("write") })
    #expect(machine.calls.filter { $0.contains("create") } == ["create data/order/wakes/2026-01-01T1200/003000000-1"])
    let again = try await trees.claim("1")
    machine.plan()
    let sameTime = again.record(.unchanged, wakes: .noon + .seconds(3), isReleased: true)
    #expect(try await trees.store.save([sameTime]) == [])
    #expect(machine.calls.filter { !$0.hasPrefix("stat") } == ["unlink data/order/starts/1.json"])
    #expect(try await trees.store.save([trees.claim("1").record("", isAwake: true)]) == [])
    #expect(files == [])
  }

  @Test("has a bounded number of trees in memory, and reads the folders whose time has come")
  func memory() async throws {
    let count = 400
    for id in 0..<count {
      // Each ten seconds: more than an hour.
      let wakes = WallTime.noon + .seconds(10 * id)
      let header =
        #"{"bytes":0,"fence":1,"id":"\#(id)","kind":"order","schema":1,"store":1,"version":1,"wakes":\#(wakes.microsecondsSince1970)}"#
      machine.put(header + "\n", at: "data/order/asleep/\(id).json")
      let (folder, offset) = (id / 60, 10_000_000 * (id % 60))
      let name = "2026-01-01T1\(2 + folder / 6)\(folder % 6)0"
      machine.put(
        [], at: "data/order/wakes/\(name)/" + String(String(1_000_000_000 + offset).dropFirst()) + "-\(id)")
    }
    machine.plan()
    let trees = try open()
    #expect(!machine.calls.contains { $0.contains("wakes") })
    time.value = .noon + .seconds(25)
    machine.plan()
    #expect(try await trees.due() == ["0", "1", "2"])
    #expect(
      machine.calls.filter { $0.hasPrefix("names") } == [
        "names data/order/wakes", "names data/order/wakes/2026-01-01T1200",
      ])
    #expect(trees.store.wakeCount == 60)
    // Long after: the oldest first, and all of them.
    time.value = .noon + .seconds(86_400)
    var next = 0
    while next < count {
      let due = try await trees.due(40)
      #expect(due == (next..<min(next + 40, count)).map(String.init))
      #expect(trees.store.wakeCount <= 2 * 64 + 60)
      for id in due { _ = try await trees.claim(id) }
      next += due.count
      if due.isEmpty { break }
    }
    #expect(try await trees.due() == [])
  }

  @Test("finds a tree behind many of a later schema that wake at the same time")
  func laterSchema() async throws {
    let trees = try open()
    // All at the same time, as with many at midnight.
    let records = try await trees.records(of: 0..<300, schema: 2) {
      $0.record("", schema: 2, wakes: .noon, isReleased: true)
    }
    #expect(try await trees.store.save(records) == [])
    try await trees.save("last", "", wakes: .noon + .seconds(1))
    await trees.store.close()
    let reopened = try open()
    time.value = .noon + .seconds(2)
    var due: [String] = []
    for _ in 0..<5 where due.isEmpty { due = try await reopened.due(10) }
    #expect(due == ["last"])
    #expect(try await reopened.due(1_000, schema: 2).count == 301)
  }

  @Test("removes files of times that a record does not have, and makes the missing one, when their time has come")
  func staleFiles() async throws {
    var trees = try open()
    try await trees.save("later", "", wakes: .noon + .seconds(5_000))
    try await trees.save("never", "")
    try await trees.save("awake", "", isAwake: true)
    await trees.store.close()
    // As after a restore from a backup whose files are of different moments.
    let (right, wrong) = ("2026-01-01T1320/200000000-later", "2026-01-01T1320/000000000-later")
    try machine.rename("data/order/wakes/" + right, to: "data/order/wakes/" + wrong)
    for id in ["later", "never", "awake", "absent"] {
      machine.put([], at: "data/order/wakes/2026-01-01T1200/000000007-\(id)")
    }
    for name in ["x", "000000007", "00000007-a", "999999999-a", "000000007-A"] {
      machine.put([], at: "data/order/wakes/2026-01-01T1200/" + name)
    }
    machine.put([], at: "data/order/wakes/other/000000007-a")
    trees = try open()
    time.value = .noon + .seconds(1)
    #expect(try await trees.due() == ["awake"])
    #expect(files.filter { $0.contains("later") } == [wrong, right])
    #expect(files.filter { $0.contains("never") || $0.contains("awake") || $0.contains("absent") } == [])
    time.value = .noon + .seconds(5_000) - .microseconds(1)
    #expect(try await trees.due() == ["awake"])
    time.value = .noon + .seconds(5_000)
    #expect(try await trees.due() == ["awake", "later"])
    #expect(files.filter { $0.contains("later") } == [right])
  }

  @Test("removes folders whose time has passed, and makes them again for a time in the past")
  func folders() async throws {
    var trees = try open()
    for seconds in [0, 600, 1_200] { try await trees.save("\(seconds)", "", wakes: .noon + .seconds(seconds)) }
    for seconds in [0, 600, 1_200] { try await trees.release("\(seconds)") }
    #expect(files == [])
    await trees.store.close()
    trees = try open()
    time.value = .noon + .seconds(1_300)
    machine.plan()
    #expect(try await trees.due() == [])
    #expect(
      machine.calls.filter { $0.hasPrefix("rmdir") } == [
        "rmdir data/order/wakes/2026-01-01T1200", "rmdir data/order/wakes/2026-01-01T1210",
      ])
    for id in ["0", "1"] { try await trees.save(id, "", wakes: .noon + .seconds(600)) }
    #expect(try await trees.due() == ["0", "1"])
    machine.crash(leaving: .nothing)
    #expect(try await open().due() == ["0", "1"])
  }

  @Test("saves while the folders are read, without losing a tree")
  func concurrentSaves() async throws {
    try await withTemporaryDirectory { directory in
      let store = try FileStore(directory: directory)
      let trees = Trees(store: store)
      let saving = Task {
        for id in 0..<60 { try await trees.save("\(id)", "", wakes: WallTime.now + .milliseconds(id % 20)) }
      }
      var found: Set<String> = []
      while found.count < 60 {
        for id in try await trees.due(50) {
          #expect(found.insert(id).inserted)
          _ = try await trees.claim(id)
        }
        await Task.yield()
      }
      try await saving.value
      #expect(found.count == 60)
      await store.close()
    }
  }
}

@Suite("The sleeping trees that a store in files has in memory")
struct WakeQueueTests {
  @Test("are those that wake first, and at most twice as many as it keeps, however many are read or added")
  func bounds() throws {
    var queue = WakeQueue(capacity: 10)
    let begun = queue.beginLoading(at: .noon, limit: 10, schema: 1)
    let loading = try #require(begun)
    let found = (0..<500).map { (id: "read \($0)", time: WallTime.noon + .milliseconds($0)) }
    queue.endLoading(found.shuffled(), to: loading.end)
    #expect((queue.count, queue.horizon) == (10, .noon + .milliseconds(10)))
    for number in 0..<500 {
      queue.add("added \(number)", at: .noon - .milliseconds(number), schema: nil)
      #expect(queue.count <= 20)
    }
    let due = queue.due(at: .noon + .seconds(1), limit: 5, schema: 1).map(\.id)
    #expect(due == (495..<500).reversed().map { "added \($0)" })
  }
}
