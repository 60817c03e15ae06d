// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import PostgreSQLStore
import RIBs
import RIBsStore

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

  private static func text(_ number: Int, count: Int) -> String {
    String(repeating: "x", count: count) + "\(number)"
  }

  /// - Returns: the rates alone, beside a tree whose row another transaction has locked, and beside one of 40 MB.
  func measure() async throws -> (alone: Rate, locked: Rate, large: Rate) {
    let running = Task { await trees.run() }
    try await trees.perform(on: "bad") { $0.interactor.savedState = "first" }
    _ = try await rate()
    let before = try await rate()
    let lock = try lockRow("bad")
    let locked = try await rate(beside: 10)
    try lock.fileHandleForWriting.close()
    let large = try await rate(beside: 40_000_000)
    let after = try await rate()
    running.cancel()
    await trees.shutdown(timeout: .seconds(20))
    await running.value
    return (Rate(calls: (before.calls + after.calls) / 2, latency: max(before.latency, after.latency)), locked, large)
  }

  /// Calls each of 200 trees again as soon as its change is saved.
  ///
  /// - Parameter size: the size of the state of another tree, which changes each second; nil for none.
  private func rate(beside size: Int? = nil) async throws -> Rate {
    let end = ContinuousClock.now + time
    let bad = Task { [trees] in
      var number = 0
      while let size, !Task.isCancelled {
        number += 1
        let text = Self.text(number, count: size)
        try await trees.perform(on: "bad", answering: .atOnce) { $0.interactor.savedState = text }
        try await Task.sleep(for: .seconds(1))
      }
    }
    let latencies = try await withThrowingTaskGroup(of: [Duration].self) { [trees] group in
      for id in 0..<200 {
        group.addTask {
          var latencies: [Duration] = []
          while ContinuousClock.now < end {
            let start = ContinuousClock.now
            let text = Self.text(latencies.count, count: 2_048)
            try await trees.perform(on: "\(id)") { $0.interactor.savedState = text }
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

  /// A session that locks the row of a tree until its input ends.
  private func lockRow(_ id: String) throws -> Pipe {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["psql", "-X", "-q", "-A", "-t"]
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    try input.fileHandleForWriting.write(
      contentsOf: Data(
        "BEGIN; SELECT 1 FROM ribs_tree WHERE kind = 'neighbours' AND id = '\(id)' FOR UPDATE;\n".utf8))
    // The row is locked as soon as it is printed.
    _ = try output.fileHandleForReading.read(upToCount: 1)
    return input
  }
}
