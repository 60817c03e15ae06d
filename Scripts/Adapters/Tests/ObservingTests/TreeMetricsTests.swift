// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Metrics
import MetricsTestKit
import RIBs
import RIBsStore
import RIBsTesting
import Synchronization
import Testing
import TreeMetrics

@Suite("The metrics of trees")
struct TreeMetricsTests {
  private let factory = TestMetrics()

  private func active(_ rib: String) -> Double? {
    try? factory.expectMeter("ribs_active", [("rib", rib)]).lastValue
  }

  @Test("equal the counts of an order with failures")
  @MainActor
  func order() throws {
    let metrics = TreeMetrics(factory: factory)
    var counts: [String: (now: Int, most: Int)] = [:]
    var maxima: [String: Double] = [:]
    var (failures, restarts) = (0, 0)
    try TestTree(recording: []).order(from: TaxiBackend(outages: 2)) { event in
      metrics.record(event)
      let rib = event.path.components.last ?? ""
      switch event.kind {
      case .activated: counts[rib, default: (0, 0)].now += 1
      case .resigned: counts[rib, default: (0, 0)].now -= 1
      case .taskFailed: failures += 1
      case .restarted: restarts += 1
      default: return
      }
      if let count = counts[rib] {
        counts[rib]?.most = max(count.now, count.most)
        maxima[rib] = max(maxima[rib] ?? 0, active(rib) ?? 0)
      }
    }
    // RiderSession and Root were attached before.
    #expect(counts.count > 15)
    for (rib, count) in counts {
      #expect(active(rib) == Double(count.now), "\(rib)")
      #expect(maxima[rib] == Double(count.most), "\(rib)")
    }
    #expect(failures == 2)
    #expect(factory.counterTotal(label: "ribs_tasks_failed_total") == 2)
    #expect(restarts > 0)
    #expect(factory.counterTotal(label: "ribs_restarts_total") == Int64(restarts))
    #expect(Set(factory.meters.flatMap(\.dimensions).map(\.0)) == ["rib"])
  }

  @Test("count trees, and leave other handlers their events")
  func trees() async throws {
    let metrics = TreeMetrics(factory: factory)
    let others = Mutex<[TreeEvent.Kind]>([])
    let configuration = metrics.observing(
      TreeConfiguration(
        leakDetection: .off, eventKinds: [.loaded], onEvent: { event in others.withLock { $0.append(event.kind) } }))
    let first = await TreeHost(configuration: configuration) { SmallRouter() }
    let second = await TreeHost(configuration: configuration) { SmallRouter() }
    try await second.perform { root in root.attachChild(SmallRouter()) }
    #expect(try factory.expectMeter("ribs_trees").lastValue == 2)
    #expect(active("Small") == 3)
    await first.shutdown()
    #expect(try factory.expectMeter("ribs_trees").lastValue == 1)
    await second.shutdown()
    #expect(try factory.expectMeter("ribs_trees").lastValue == 0)
    #expect(active("Small") == 0)
    #expect(others.withLock { $0 } == [.loaded, .loaded, .loaded])
  }

  @Test("measure the saves of a store, and count those that fail and takeovers")
  func saves() async throws {
    let metrics = TreeMetrics(factory: factory)
    let store = MemoryStore()
    let directory = TreeDirectory<Int, SmallRouter>(
      in: metrics.measuring(store), onEvent: { event in metrics.record(event) }, build: { _ in SmallRouter() })
    _ = try await directory.perform(on: 1) { root in root.children.count }
    await directory.shutdown()
    let saves = try factory.expectTimer("ribs_saves_seconds").values
    #expect(!saves.isEmpty && saves.allSatisfy { $0 > 0 })
    metrics.record(DirectoryEvent<Int>.fenced(1))
    metrics.record(DirectoryEvent<Int>.full)
    #expect(factory.counterTotal(label: "ribs_takeovers_total") == 1)
    let failing = metrics.measuring(FailingStore())
    await #expect(throws: Outage.self) { _ = try await failing.save([]) }
    #expect(factory.counterTotal(label: "ribs_saves_failed_total") == 1)
    #expect(try factory.expectTimer("ribs_saves_seconds").values.count == saves.count)
  }

  @Test("of a directory have instruments that are made once, and count each refused call once")
  func instruments() async throws {
    let counting = CountingMetrics(metrics: factory)
    let metrics = TreeMetrics(factory: counting)
    let directory = TreeDirectory<Int, SmallRouter> { _ in SmallRouter() }
    _ = try await directory.perform(on: 1) { root in root.children.count }
    metrics.record(directory.counts, of: "small")
    let made = counting.made.load(ordering: .relaxed)
    for _ in 0..<10 { metrics.record(directory.counts, of: "small") }
    #expect(counting.made.load(ordering: .relaxed) == made)
    let dimensions = [("kind", "small"), ("state", "awake")]
    #expect(try factory.expectMeter("ribs_directory_trees", dimensions).values == Array(repeating: 1, count: 11))
    #expect(try factory.expectMeter("ribs_directory_calls", [("kind", "small")]).lastValue == 0)
    #expect(factory.counterTotal(label: "ribs_directory_calls_refused_total") == 0)
    await directory.shutdown()
  }
}

/// Counts the meters and counters that are made.
private final class CountingMetrics: MetricsFactory {
  let made = Atomic(0)
  private let metrics: TestMetrics

  init(metrics: TestMetrics) { self.metrics = metrics }

  func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    made.add(1, ordering: .relaxed)
    return metrics.makeCounter(label: label, dimensions: dimensions)
  }
  func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
    made.add(1, ordering: .relaxed)
    return metrics.makeMeter(label: label, dimensions: dimensions)
  }
  func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
    metrics.makeRecorder(label: label, dimensions: dimensions, aggregate: aggregate)
  }
  func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    metrics.makeTimer(label: label, dimensions: dimensions)
  }
  func destroyCounter(_ handler: any CounterHandler) {}
  func destroyMeter(_ handler: any MeterHandler) {}
  func destroyRecorder(_ handler: any RecorderHandler) {}
  func destroyTimer(_ handler: any TimerHandler) {}
}

private struct FailingStore: TreeStore {
  func save(_ records: [TreeRecord]) async throws -> Set<TreeKey> { throw Outage() }
  func claim(_ key: TreeKey, by owner: TreeOwner, schema: Int) async throws -> TreeClaim { throw Outage() }
  func due(_ kind: String, limit: Int, schema: Int) async throws -> [TreeKey] { throw Outage() }
  func renew(_ owner: TreeOwner, for duration: Duration) async throws -> Bool { throw Outage() }
}
