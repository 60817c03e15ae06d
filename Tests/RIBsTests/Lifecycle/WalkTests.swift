internal import Foundation
import RIBs
import Testing

@Suite("A random walk", .folded(oneIn: 16))
struct WalkTests {
  /// `RIBS_SEED` in the environment replays from a seed, and `RIBS_ACTIONS` asks for more actions.
  private static let environment = ProcessInfo.processInfo.environment

  @Test("through actions nested six deep in callbacks never leaves the design")
  func walk() async {
    let first = Self.environment["RIBS_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0..<1 << 48)
    let wanted = Self.environment["RIBS_ACTIONS"].flatMap { Int($0) } ?? 120_000
    let (count, failures) = await Stage().run { stage in
      var count = 0
      var failures: [String] = []
      var walk = Walk(seed: first)
      while count < wanted, failures.count < 3 {
        let (failure, actionCount) = walk.failure(on: stage)
        count += actionCount
        if let failure { failures.append(failure) }
        walk.seed += 1
      }
      return (count, failures)
    }
    print("A random walk: seed \(first), \(count) actions")
    #expect(failures.isEmpty, "\(failures.joined(separator: "\n\n"))")
  }
}
