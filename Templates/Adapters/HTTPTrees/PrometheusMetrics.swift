// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

public import CoreMetrics
import Synchronization

/// Metrics in memory, as the text that Prometheus reads.
///
/// Small on purpose: counters, gauges, and sums with counts for recorders and timers. Labels must have few values: never
/// the ID of a tree.
public final class PrometheusMetrics: MetricsFactory {
  fileprivate final class Instrument: CounterHandler, FloatingPointCounterHandler, MeterHandler, RecorderHandler,
    TimerHandler
  {
    let kind: String
    /// The sum and the number of values.
    let value = Mutex((sum: 0.0, count: 0))

    init(kind: String) { self.kind = kind }

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
      }
    }
    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1_000_000_000) }
    func reset() { value.withLock { $0 = (0, 0) } }
  }

  private struct Key: Hashable {
    let name: String
    let labels: String
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
      let (sum, count) = instrument.value.withLock { $0 }
      if instrument.kind == "summary" {
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
    instrument(label, dimensions, "summary")
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
