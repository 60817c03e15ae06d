// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Histogram
import Synchronization

/// Counts and latencies of a run.
final class Results: Sendable {
  enum Kind: String, CaseIterable {
    case open = "open (scheduled)"
    case confirm
    case pay
    case order = "whole order"
  }

  private struct State {
    var latencies: [Kind: Histogram<UInt64>] = [:]
    var outcomes: [String: Int] = [:]
    var repeated: [String: Int] = [:]
    var requests = 0
    var failures: [String: Int] = [:]
  }

  private let state = Mutex(State())

  var failures: Int { state.withLock { $0.failures.values.reduce(0, +) } }

  var outcomes: [String: Int] { state.withLock(\.outcomes) }

  func record(_ kind: Kind, _ latency: Duration) {
    let microseconds = UInt64(max(1, latency / .microseconds(1)))
    state.withLock {
      _ = $0.latencies[kind, default: Histogram(numberOfSignificantValueDigits: .three)].record(microseconds)
    }
  }

  func countRequest() { state.withLock { $0.requests += 1 } }
  func countRepeat(_ reason: String) { state.withLock { $0.repeated[reason, default: 0] += 1 } }
  func countFailure(_ reason: String) { state.withLock { $0.failures[reason, default: 0] += 1 } }
  func countOutcome(_ outcome: String) { state.withLock { $0.outcomes[outcome, default: 0] += 1 } }

  /// The results as text.
  func text(duration: Duration) -> String {
    let state = state.withLock { $0 }
    let seconds = duration / .seconds(1)
    let orders = state.outcomes.values.reduce(0, +)
    var lines = [
      String(
        format: "%.1f s: %d orders ended (%.1f a second), %d requests (%.1f a second)", seconds, orders,
        Double(orders) / seconds, state.requests, Double(state.requests) / seconds),
      "outcomes: \(Results.list(state.outcomes))", "repeated: \(Results.list(state.repeated))",
      "failed:   \(Results.list(state.failures))", "",
      "latency in ms".padded(20) + ["50 %", "90 %", "99 %", "99.9 %", "max"].map { $0.padded(to: 10) }.joined(),
    ]
    for kind in Kind.allCases {
      guard let histogram = state.latencies[kind] else { continue }
      let values = [50, 90, 99, 99.9, 100].map { percentile in
        String(format: "%.1f", Double(histogram.valueAtPercentile(percentile)) / 1_000).padded(to: 10)
      }
      lines.append(kind.rawValue.padded(20) + values.joined())
    }
    return lines.joined(separator: "\n")
  }

  private static func list(_ counts: [String: Int]) -> String {
    counts.isEmpty ? "none" : counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
  }
}

extension String {
  fileprivate func padded(_ width: Int) -> String { padding(toLength: width, withPad: " ", startingAt: 0) }
  fileprivate func padded(to width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }
}
