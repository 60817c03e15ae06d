// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@Suite("A long random walk in trees that do not end", .folded)
struct LongWalkTests {
  @Test("is refused nothing, leaves nothing behind and loses no error")
  func walk() async throws {
    let (hosts, steps) = Thoroughness.count(usual: (10, 1_000), share: (10, 20_000), whole: (50, 20_000))
    let first = UInt64.random(in: 1...1_000_000)
    print("A long walk: seeds from \(first), \(hosts * steps) operations")
    let total = try await withThrowingTaskGroup(of: ScopeEpisode.Result.self) { group in
      for number in 0..<hosts {
        let episode = ScopeEpisode(seed: first + UInt64(number), course: .correct)
        group.addTask {
          let result = try await episode.runLong(steps: steps)
          #expect(result.faults.isEmpty, "seed \(episode.seed)")
          return result
        }
      }
      return try await group.reduce(into: ScopeEpisode.Result()) { $0.add($1) }
    }
    // How much of its work a walk gets to, before its scopes end, is for the machine to say.
    let missing = total.missing(of: [
      .taskStep, .handler, .errorHandler, .connect, .slice, .finished, .value, .didFail, .didStart, .didStop,
      .workflowStep, .workflowHook, .page, .slotBuilder, .stackBuilder, .listBuilder, .didUpdate,
    ])
    #expect(missing == [], "seeds from \(first)")
  }
}
