// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

public import CoreMetrics
import Synchronization

/// Metrics in memory, as the text that Prometheus reads.
///
/// Small on purpose: counters, gauges, histograms for timers, and sums with counts for recorders. Labels must have few values:
/// never the ID of a tree. A percentile is computed by Prometheus, over all processes:
/// `histogram_quantile(0.99, sum by (le) (rate(http_request_seconds_bucket[5m])))`.
public final class PrometheusMetrics: MetricsFactory {
  fileprivate final class Instrument: CounterHandler, FloatingPointCounterHandler, MeterHandler, RecorderHandler,
    TimerHandler
  {
    /// In seconds: the upper bounds of the buckets of a timer.
    static let bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

    let kind: String
    /// The sum and the number of values, and those in each bucket, without those in earlier ones.
    let value = Mutex((sum: 0.0, count: 0, buckets: [Int]()))

    init(kind: String) {
      self.kind = kind
      if kind == "histogram" { value.withLock { $0.buckets = Instrument.bounds.map { _ in 0 } } }
    }

    func increment(by amount: Int64) { increment(by: Double(amount)) }
    func increment(by amount: Double) { value.withLock { $0.sum += amount } }
    func decrement(by amount: Double) { increment(by: -amount) }
    func set(_ value: Int64) { set(Double(value)) }
    func set(_ value: Double) { self.value.withLock { $0.sum = value } }
    func record(_ value: Int64) { record(Double(value)) }
    func record(_ value: Double) {
      self.value.withLock { state in
        state.sum += value
        state.count += 1
        guard !state.buckets.isEmpty, let bucket = Instrument.bounds.firstIndex(where: { value <= $0 }) else { return }
        state.buckets[bucket] += 1
      }
    }
    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1_000_000_000) }
    func reset() { value.withLock { $0 = (0, 0, $0.buckets.map { _ in 0 }) } }
  }

  private struct Key: Hashable {
    let name: String
    let labels: String

    func labels(adding label: String) -> String {
      labels.isEmpty ? "{\(label)}" : "\(labels.dropLast()),\(label)}"
    }
  }

  /// Creates metrics without values.
  public init() {}

  private let instruments = Mutex<[Key: Instrument]>([:])

  /// All metrics, in the text format of version 0.0.4.
  public var text: String {
    let instruments = instruments.withLock { $0 }
    var text = ""
    var last = ""
    for (key, instrument) in instruments.sorted(by: { ($0.key.name, $0.key.labels) < ($1.key.name, $1.key.labels) }) {
      if key.name != last { text += "# TYPE \(key.name) \(instrument.kind)\n" }
      last = key.name
      let (sum, count, buckets) = instrument.value.withLock { $0 }
      if instrument.kind != "counter", instrument.kind != "gauge" {
        var below = 0
        for (bound, values) in zip(Instrument.bounds, buckets) {
          below += values
          text += "\(key.name)_bucket\(key.labels(adding: "le=\"\(bound)\"")) \(below)\n"
        }
        if !buckets.isEmpty { text += "\(key.name)_bucket\(key.labels(adding: "le=\"+Inf\"")) \(count)\n" }
        text += "\(key.name)_sum\(key.labels) \(sum)\n\(key.name)_count\(key.labels) \(count)\n"
      } else {
        text += "\(key.name)\(key.labels) \(sum)\n"
      }
    }
    return text
  }

  private func instrument(_ name: String, _ labels: [(String, String)], _ kind: String) -> Instrument {
    let name = String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
    let pairs = labels.map { label, value in
      let escaped = value.flatMap { ["\\": "\\\\", "\"": "\\\"", "\n": "\\n"][$0] ?? String($0) }
      return "\(label)=\"\(String(escaped))\""
    }
    let key = Key(name: name, labels: pairs.isEmpty ? "" : "{\(pairs.sorted().joined(separator: ","))}")
    return instruments.withLock { instruments in
      if let known = instruments[key] { return known }
      let new = Instrument(kind: kind)
      instruments[key] = new
      return new
    }
  }

  /// Called by instruments.
  public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    instrument(label, dimensions, "counter")
  }

  /// Called by instruments.
  public func makeFloatingPointCounter(label: String, dimensions: [(String, String)]) -> any FloatingPointCounterHandler
  {
    instrument(label, dimensions, "counter")
  }

  /// Called by instruments.
  public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
    instrument(label, dimensions, "gauge")
  }

  /// Called by instruments.
  public func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
    instrument(label, dimensions, "summary")
  }

  /// Called by instruments.
  public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    instrument(label, dimensions, "histogram")
  }

  // Instruments stay: there are few.
  /// Called by instruments.
  public func destroyCounter(_ handler: any CounterHandler) {}
  /// Called by instruments.
  public func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
  /// Called by instruments.
  public func destroyMeter(_ handler: any MeterHandler) {}
  /// Called by instruments.
  public func destroyRecorder(_ handler: any RecorderHandler) {}
  /// Called by instruments.
  public func destroyTimer(_ handler: any TimerHandler) {}
}
