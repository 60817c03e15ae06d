// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
import RIBs
import TestSupport
import Testing

@Suite("A random walk", .folded(oneIn: 16))
struct WalkTests {
  /// `RIBS_SEED` in the environment replays from a seed, and `RIBS_ACTIONS` asks for more actions.
  private static let environment = ProcessInfo.processInfo.environment

  @Test("through actions nested six deep in callbacks never leaves the design")
  func walk() {
    let first = Self.environment["RIBS_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0..<1 << 48)
    let wanted =
      Self.environment["RIBS_ACTIONS"].flatMap { Int($0) }
      ?? Thoroughness.count(usual: 10_000, share: 200_000, whole: 2_000_000)
    var count = 0
    var failures: [String] = []
    var walk = Walk(seed: first)
    while count < wanted, failures.count < 3 {
      let stage = DrivenStage(seed: walk.seed)
      let (failure, actionCount) = stage.assumeIsolated { walk.failure(on: $0) }
      count += actionCount
      if let failure { failures.append(failure) }
      walk.seed += 1
    }
    print("A random walk: seed \(first), \(count) actions")
    #expect(failures.isEmpty, "\(failures.joined(separator: "\n\n"))")
  }
}
