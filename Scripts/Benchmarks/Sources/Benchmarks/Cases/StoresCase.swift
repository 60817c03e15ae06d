// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Heap
import RIBs
import RIBsStore

/// Records of 2 KB saved per second by a `FileStore`, and orders of 2 KB that callers change through a directory, compared
/// with threads that write and synchronize new files; and the start and the memory of a store with 100,000 trees that are
/// asleep, compared with those without them. Not a million, because it takes minutes to create and remove their files:
/// `RIBS_ASLEEP=1000000 Scripts/bench stores` measures that.
func storesCase() async throws -> [Measurement] {
  let directory = NSTemporaryDirectory() + "ribs-stores-" + UUID().uuidString
  defer { try? FileManager.default.removeItem(atPath: directory) }
  let saves = try await saving(in: directory + "/saves")
  let orders = try await ordering(in: directory + "/orders")
  return saves + [orders] + (try await starting(in: directory + "/starts"))
}

private let document = [UInt8](repeating: UInt8(ascii: "x"), count: 2_048)

private func saving(in directory: String) async throws -> [Measurement] {
  let store = try FileStore(directory: directory)
  var claims: [(key: TreeKey, fence: UInt64)] = []
  for id in 0..<1_000 {
    let key = TreeKey(kind: "order", id: "\(id)")
    guard case .claimed(let fence, _) = try await store.claim(key, by: TreeOwner(), schema: 1) else { continue }
    claims.append((key, fence))
  }
  var version: UInt64 = 0
  var measurements: [Measurement] = []
  for (count, batches, threads) in [(1, 50, 1), (10, 20, 8), (100, 5, 8), (1_000, 2, 8)] {
    var (best, disk) = (0.0, 0.0)
    for _ in 0..<3 {
      disk = max(disk, try synchronizing(in: directory, threads: threads))
      let start = ContinuousClock.now
      for _ in 0..<batches {
        version += 1
        let records = claims.prefix(count).map { record($0.key, $0.fence, version) }
        guard try await store.save(records).isEmpty else { throw CocoaError(.fileWriteUnknown) }
      }
      best = max(best, Double(count * batches) / ((.now - start).nanoseconds / 1e9))
    }
    measurements.append(
      Measurement(
        "records in batches of \(count), over new files by \(threads) \(threads == 1 ? "thread" : "threads")", best,
        over: disk, unit: "/s", .atLeast(0.3)))
  }
  await store.close()
  return measurements
}

private func record(_ key: TreeKey, _ fence: UInt64, _ version: UInt64, isAwake: Bool = true) -> TreeRecord {
  TreeRecord(
    key: key, fence: fence, version: version, schema: 1, content: .document(document), isAwake: isAwake,
    isReleased: false)
}

/// The number of new files of 2 KB that threads write and synchronize per second.
private func synchronizing(in directory: String, threads: Int) throws -> Double {
  let rounds = 50
  let group = DispatchGroup()
  let start = ContinuousClock.now
  for thread in 0..<threads {
    // A concurrent queue has as many threads as there are cores.
    DispatchQueue(label: "disk").async(group: group) {
      for round in 0..<rounds {
        let file = open("\(directory)/disk-\(thread)-\(round)", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        document.withUnsafeBytes { _ = write(file, $0.baseAddress, $0.count) }
        fsync(file)
        close(file)
      }
    }
  }
  group.wait()
  let rate = Double(rounds * threads) / ((.now - start).nanoseconds / 1e9)
  for thread in 0..<threads { for round in 0..<rounds { unlink("\(directory)/disk-\(thread)-\(round)") } }
  return rate
}

/// An order whose saved document has 2 KB.
private final class OrderInteractor: Interactor, Saving {
  struct SavedState: Codable, Sendable {
    var items = 0
    var notes = String(repeating: "x", count: 2_000)
  }

  var savedState = SavedState() { didSet { setNeedsSave() } }
}

/// The orders that 64 callers change per second, each its own, where a call returns when its change is saved.
private func ordering(in directory: String) async throws -> Measurement {
  try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
  let orders = TreeDirectory(
    "order", in: try FileStore(directory: directory), tree: { _ in TreeConfiguration(leakDetection: .off) }
  ) { (id: Int) in Router(interactor: OrderInteractor()) }
  let (callers, calls) = (64, 20)
  var (best, disk) = (0.0, 0.0)
  for _ in 0..<3 {
    disk = max(disk, try synchronizing(in: directory, threads: 8))
    let start = ContinuousClock.now
    try await withThrowingTaskGroup(of: Void.self) { group in
      for id in 0..<callers {
        group.addTask {
          for _ in 0..<calls { try await orders.perform(on: id) { $0.interactor.savedState.items += 1 } }
        }
      }
      try await group.waitForAll()
    }
    best = max(best, Double(callers * calls) / ((.now - start).nanoseconds / 1e9))
  }
  await orders.shutdown()
  return Measurement(
    "orders of 64 callers through a directory, over new files by 8 threads", best, over: disk, unit: "/s",
    .atLeast(0.3))
}

/// The time until 10,000 trees are found that were awake, and the memory of the store then.
private func starting(in directory: String) async throws -> [Measurement] {
  try await addAwake(10_000, in: directory)
  func start() async throws -> Duration {
    let start = ContinuousClock.now
    let store = try FileStore(directory: directory)
    guard try await store.due("order", limit: 10_000, schema: 1).count == 10_000 else {
      throw CocoaError(.fileReadUnknown)
    }
    return .now - start
  }
  func best() async throws -> Double {
    var best = Double.infinity
    for _ in 0..<3 { best = min(best, try await start().nanoseconds / 1e6) }
    return best
  }
  /// The heap that an opened store takes.
  func heap() async throws -> Double {
    let before = heap_in_use()
    let store = try FileStore(directory: directory)
    _ = try await store.due("order", limit: 10_000, schema: 1)
    let after = heap_in_use()
    await store.close()
    return Double(after) - Double(before)
  }
  let (withoutAsleep, smallHeap) = (try await best(), try await heap())
  let asleep = ProcessInfo.processInfo.environment["RIBS_ASLEEP"].flatMap { Int($0) } ?? 100_000
  // Empty files suffice: they are never read.
  for id in 0..<asleep { close(open(directory + "/order/asleep/asleep-\(id).json", O_WRONLY | O_CREAT, 0o600)) }
  let start = Measurement(
    "start with 10000 awake and \(asleep) asleep, over none asleep", try await best(), over: withoutAsleep, unit: "ms",
    .valueAtMost(1_000))
  guard heap_in_use() > 0 else { return [start] }
  return [
    start,
    Measurement(
      "heap with 10000 awake and \(asleep) asleep, over none asleep", try await heap(), over: smallHeap, unit: "bytes",
      .atMost(1.02)),
  ]
}

/// Writes the files of trees that are awake, without synchronizing them.
private func addAwake(_ count: Int, in directory: String) async throws {
  let store = try FileStore(directory: directory)
  let key = TreeKey(kind: "order", id: "0")
  guard case .claimed(let fence, _) = try await store.claim(key, by: TreeOwner(), schema: 1) else { return }
  // Both folders are made.
  for (version, isAwake) in [(1, false), (2, true)] as [(UInt64, Bool)] {
    _ = try await store.save([record(key, fence, version, isAwake: isAwake)])
  }
  await store.close()
  let sample = try String(contentsOfFile: directory + "/order/awake/0.json", encoding: .utf8)
  for id in 1..<count {
    let content = sample.replacing("\"id\":\"0\"", with: "\"id\":\"\(id)\"", maxReplacements: 1)
    try content.write(toFile: directory + "/order/awake/\(id).json", atomically: false, encoding: .utf8)
  }
}
