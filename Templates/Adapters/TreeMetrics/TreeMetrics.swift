// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

// Counts what happens in trees (swift-metrics): a template, yours to change.
//
// In Package.swift:
//
//   .package(url: "https://github.com/apple/swift-metrics", from: "2.5.0"),
//   .target(
//     name: "TreeMetrics",
//     dependencies: [
//       .product(name: "RIBs", package: "swift-ribs"),
//       .product(name: "RIBsStore", package: "swift-ribs"),
//       .product(name: "Metrics", package: "swift-metrics"),
//     ]),

public import Metrics
public import RIBs
public import RIBsStore
import Synchronization

/// Counts what happens in trees.
///
/// | Metric | Kind | Dimension | Meaning |
/// |---|---|---|---|
/// | `ribs_active` | meter | `rib` | active RIBs |
/// | `ribs_tasks_failed_total` | counter | `rib` | bound work that threw an error |
/// | `ribs_restarts_total` | counter | `rib` | restarts of failed RIBs |
/// | `ribs_trees` | meter | | trees that have been launched and have not ended |
/// | `ribs_takeovers_total` | counter | | trees that another owner has claimed from this process |
/// | `ribs_directory_trees` | meter | `kind`, `state` | trees of a directory, by `DirectoryCounts` |
/// | `ribs_directory_calls` | meter | `kind` | calls that use a tree or wait for one |
/// | `ribs_directory_calls_refused_total` | counter | `kind` | calls refused by `callLimit` |
/// | `ribs_saves_seconds` | timer | | duration of the saves of a store |
/// | `ribs_saves_failed_total` | counter | | saves of a store that threw an error |
///
/// ```swift
/// let metrics = TreeMetrics(factory: PrometheusMetricsFactory())
/// let directory = TreeDirectory<String, OrderRouter>(
///   in: metrics.measuring(store), tree: { _ in metrics.observing(TreeConfiguration()) },
///   onEvent: { event in metrics.record(event) }, build: { … })
/// ```
///
/// Call `record(_:of:)` before each scrape, or every few seconds.
///
/// Dimensions are names of types and kinds of trees, so their number does not grow with the number of trees.
/// Ids and names of trees must not be dimensions.
public final class TreeMetrics: Sendable {
  private let factory: any MetricsFactory
  private let trees: Meter
  private let takeovers: Counter
  fileprivate let saves: Timer
  fileprivate let failedSaves: Counter
  /// Instruments are expensive to make, and a RIB's name is a cheap key.
  private let instruments = Mutex<[RIBName: Instruments]>([:])
  /// By the kinds of directories.
  private let directories = Mutex<[String: DirectoryInstruments]>([:])

  private struct Instruments {
    let active: Meter
    let failed: Counter
    let restarts: Counter
  }

  private struct DirectoryInstruments {
    /// In the order of `states`.
    let trees: [Meter]
    let calls: Meter
    let refused: Counter
    /// The refused calls that were counted.
    var counted = 0

    static let states = ["awake", "opening", "closing", "quarantined", "unsaved"]

    init(of kind: String, _ factory: any MetricsFactory) {
      trees = DirectoryInstruments.states.map { state in
        Meter(label: "ribs_directory_trees", dimensions: [("kind", kind), ("state", state)], factory: factory)
      }
      calls = Meter(label: "ribs_directory_calls", dimensions: [("kind", kind)], factory: factory)
      refused = Counter(label: "ribs_directory_calls_refused_total", dimensions: [("kind", kind)], factory: factory)
    }
  }

  /// - Parameter factory: makes the instruments, such as that of the program's metrics library.
  public init(factory: any MetricsFactory) {
    self.factory = factory
    trees = Meter(label: "ribs_trees", factory: factory)
    takeovers = Counter(label: "ribs_takeovers_total", factory: factory)
    saves = Timer(label: "ribs_saves_seconds", preferredDisplayUnit: .seconds, factory: factory)
    failedSaves = Counter(label: "ribs_saves_failed_total", factory: factory)
  }

  private static let kinds: Set<TreeEvent.Kind> = [.attached, .activated, .resigned, .taskFailed, .restarted, .ended]

  /// Adds the metrics to the configuration of a tree, or of many trees. The configuration's own handler is called too.
  public func observe(_ configuration: inout TreeConfiguration) {
    configuration.addEventHandler(of: TreeMetrics.kinds) { event in self.record(event) }
  }

  /// The configuration with the metrics added.
  public func observing(_ configuration: TreeConfiguration) -> TreeConfiguration {
    var configuration = configuration
    observe(&configuration)
    return configuration
  }

  /// Records an event of a tree.
  public func record(_ event: TreeEvent) {
    switch event.kind {
    case .attached: if event.parent == nil { trees.increment() }
    case .ended: trees.decrement()
    case .activated: instruments(of: event.rib).active.increment()
    case .resigned: instruments(of: event.rib).active.decrement()
    case .taskFailed: instruments(of: event.rib).failed.increment()
    case .restarted: instruments(of: event.rib).restarts.increment()
    default: break
    }
  }

  /// Records an event of a directory.
  public func record<ID>(_ event: DirectoryEvent<ID>) {
    if case .fenced = event { takeovers.increment() }
  }

  /// Records the trees and calls of a directory: `metrics.record(directory.counts, of: directory.kind)`.
  public func record(_ counts: DirectoryCounts, of kind: String) {
    let numbers = [counts.awake, counts.opening, counts.closing, counts.quarantined, counts.unsaved]
    directories.withLock { directories in
      var instruments = directories[kind] ?? DirectoryInstruments(of: kind, factory)
      for (meter, number) in zip(instruments.trees, numbers) { meter.set(number) }
      instruments.calls.set(counts.calls)
      // Two scrapes at the same time may come in either order.
      let new = max(counts.refusedCalls - instruments.counted, 0)
      instruments.refused.increment(by: new)
      instruments.counted += new
      directories[kind] = instruments
    }
  }

  /// The store, with the duration of its saves measured.
  public func measuring(_ store: any TreeStore) -> any TreeStore { MeasuredStore(base: store, metrics: self) }

  private func instruments(of rib: RIBName) -> Instruments {
    instruments.withLock { instruments in
      if let made = instruments[rib] { return made }
      let dimensions = [("rib", rib.description)]
      let new = Instruments(
        active: Meter(label: "ribs_active", dimensions: dimensions, factory: factory),
        failed: Counter(label: "ribs_tasks_failed_total", dimensions: dimensions, factory: factory),
        restarts: Counter(label: "ribs_restarts_total", dimensions: dimensions, factory: factory))
      instruments[rib] = new
      return new
    }
  }
}

/// A store whose saves are measured.
private struct MeasuredStore: ForwardingStore {
  let base: any TreeStore
  let metrics: TreeMetrics

  func save(_ records: [TreeRecord]) async throws -> Set<TreeKey> {
    let start = ContinuousClock.now
    do {
      let refused = try await base.save(records)
      metrics.saves.record(duration: ContinuousClock.now - start)
      return refused
    } catch {
      metrics.failedSaves.increment()
      throw error
    }
  }
}
