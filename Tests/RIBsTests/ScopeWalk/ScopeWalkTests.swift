// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
import RIBs
import RIBsTesting
import TestSupport
import Testing

@Suite("A random walk through all work, containers and callbacks", .folded)
struct ScopeWalkTests {
  /// `RIBS_EPISODES` in the environment asks for so many walks at random, and `RIBS_SEED` repeats them. Without either, the
  /// walks are the same each time.
  private static let environment = ProcessInfo.processInfo.environment
  private static let seed =
    environment["RIBS_SEED"].flatMap { UInt64($0) }
    ?? (environment["RIBS_EPISODES"] == nil ? 1 : UInt64.random(in: 0..<1 << 48))

  /// How many walks there are, of which the usual number is given.
  private static func count(_ usual: Int) -> Int {
    let all =
      environment["RIBS_EPISODES"].flatMap { Int($0) } ?? Thoroughness.count(usual: 250, share: 1_000, whole: 1_000)
    return max(1, all * usual / 1_000)
  }

  @Test(
    "in an order that a seed decides leaves nothing behind, and nothing begins after its scope has ended",
    arguments: [.everything, .workers] as [ScopeCourse])
  func driven(course: ScopeCourse) {
    var total = ScopeEpisode.Result()
    var failures: [String] = []
    let count = ScopeWalkTests.count(1_000)
    let folds = TestTree.inspector as? FoldChecker
    for number in 0..<count where failures.count < 3 && folds?.problem == nil {
      let seed = ScopeWalkTests.seed &+ UInt64(number)
      let episode = ScopeEpisode(seed: seed, course: course)
      let result = episode.runDriven()
      total.add(result)
      // The trait reports what differs.
      let faults = result.faults + (folds?.problem == nil ? [] : ["the fold of the events differs from the tree"])
      if !faults.isEmpty { failures.append(explanation(of: episode, faults)) }
    }
    print("A walk through scopes: seeds from \(ScopeWalkTests.seed), \(count) episodes")
    #expect(failures.isEmpty, "\(failures.joined(separator: "\n\n"))")
    guard count >= 500, failures.isEmpty else { return }
    if course == .everything { #expect(total.missing(of: ScopeMoment.allCases) == [], "no walk came there") }
    for action in ScopeAction.allCases where course.weight(of: action) > 0 {
      #expect(total.actions[action.rawValue] > 0, "no walk did \(action)")
    }
  }

  /// The last lines of a walk before its first fault.
  private func explanation(of episode: ScopeEpisode, _ faults: [String]) -> String {
    var episode = episode
    episode.isTracing = true
    let lines = episode.runDriven().lines
    let end = lines.firstIndex { $0.hasPrefix("FAULT") } ?? lines.endIndex
    return "RIBS_SEED=\(episode.seed): \(faults)\n\(lines[..<end].suffix(60).joined(separator: "\n"))"
  }

  @Test(
    "on actors, with work on other threads, and where the main actor runs leaves nothing behind",
    arguments: [false, true])
  func free(onMain: Bool) async {
    for number in 0..<UInt64(ScopeWalkTests.count(onMain ? 10 : 20)) {
      let seed = ScopeWalkTests.seed &+ number
      let walk = ScopeEpisode(seed: seed)
      let result = onMain ? await walk.runFree(on: MainStage()) : await walk.runFree(on: FreeStage())
      #expect(result.faults.isEmpty, "RIBS_SEED=\(seed)")
    }
  }

  @Test("in trees of hosts that drop and shut down each other leaves nothing behind")
  func hosted() async throws {
    for number in 0..<UInt64(ScopeWalkTests.count(100)) {
      let seed = ScopeWalkTests.seed &+ number
      let result = try await ScopeEpisode(seed: seed).runHosted(count: 4)
      #expect(result.faults.isEmpty, "RIBS_SEED=\(seed)")
    }
  }
}
