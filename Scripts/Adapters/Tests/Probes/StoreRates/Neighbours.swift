// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import PostgreSQLStore
import RIBs
import RIBsStore
import TestDatabase

/// Measures how many calls of 200 trees are answered in a second, alone and beside a tree whose record can't be written.
nonisolated struct Neighbours {
  final class TextInteractor: Interactor, Saving {
    var savedState = "" { didSet { setNeedsSave() } }
  }

  private typealias Trees = TreeDirectory<String, Router<TextInteractor>>

  struct Rate {
    /// Answered calls in a second.
    let calls: Double
    /// In seconds: 99 of 100 calls took no longer.
    let latency: Double
  }

  /// For how long each rate is measured.
  let time: Duration
  private let trees: Trees

  /// The time limit of a call of the store is one second.
  init(_ url: String, time: Duration) async throws {
    self.time = time
    trees = TreeDirectory("neighbours", in: try await PostgreSQLStore(url, timeout: .seconds(1))) { _ in
      Router(interactor: TextInteractor())
    }
  }

  /// Text that can't be compressed.
  private static func text(count: Int) -> String {
    let block = (0..<1 << 20).map { _ in UInt8.random(in: UInt8(ascii: "A")...UInt8(ascii: "Z")) }
    return String(decoding: (0..<count).lazy.map { block[$0 % block.count] }, as: UTF8.self)
  }

  /// - Returns: the rates alone; beside a transaction that stays open, because PostgreSQL then keeps each version of each
  ///   row, which makes all saves slower; beside one that has locked the row of a tree; and beside a tree of 40 MB.
  func measure() async throws -> (alone: Rate, open: Rate, locked: Rate, large: Rate) {
    let running = Task { await trees.run() }
    try await trees.perform(on: "bad") { $0.interactor.savedState = "" }
    _ = try await rate()
    let before = try await rate()
    let open = try await rate(beside: nil, besideLockOf: "none")
    let locked = try await rate(beside: "", besideLockOf: "bad")
    let after = try await rate()
    let large = try await rate(beside: Self.text(count: 40_000_000))
    running.cancel()
    await trees.shutdown(timeout: .seconds(20))
    await running.value
    let alone = Rate(calls: (before.calls + after.calls) / 2, latency: max(before.latency, after.latency))
    return (alone, open, locked, large)
  }

  /// Measures beside a transaction that stays open, and has locked a row if there is one. Removes the versions of rows
  /// that it has kept.
  private func rate(beside text: String?, besideLockOf id: String) async throws -> Rate {
    let session = try Session()
    try session.run(
      """
      BEGIN; SELECT pg_current_xact_id();
      SELECT 1 FROM ribs_tree WHERE kind = 'neighbours' AND id = '\(id)' FOR UPDATE
      """)
    let rate = try await rate(beside: text)
    for statement in ["COMMIT", "VACUUM ANALYZE ribs_tree"] { try session.run(statement) }
    try session.end()
    return rate
  }

  /// Calls each of 200 trees again as soon as its change is saved.
  ///
  /// - Parameter text: the state of another tree, which changes each second; nil for no other tree.
  private func rate(beside text: String? = nil) async throws -> Rate {
    let small = Self.text(count: 2_048)
    let end = ContinuousClock.now + time
    let bad = Task { [trees] in
      var number = 0
      while let text, !Task.isCancelled {
        number += 1
        let state = text + "\(number)"
        try await trees.perform(on: "bad", answering: .atOnce) { $0.interactor.savedState = state }
        try await Task.sleep(for: .seconds(1))
      }
    }
    let latencies = try await withThrowingTaskGroup(of: [Duration].self) { [trees] group in
      for id in 0..<200 {
        group.addTask {
          var latencies: [Duration] = []
          while ContinuousClock.now < end {
            let start = ContinuousClock.now
            let state = small + "\(latencies.count)"
            try await trees.perform(on: "\(id)") { $0.interactor.savedState = state }
            latencies.append(start.duration(to: .now))
          }
          return latencies
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }.sorted()
    }
    bad.cancel()
    _ = await bad.result
    return Rate(
      calls: Double(latencies.count) / (time / .seconds(1)),
      latency: latencies[latencies.count * 99 / 100] / .seconds(1))
  }
}
