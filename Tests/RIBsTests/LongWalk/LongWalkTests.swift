// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Foundation
import RIBs
import RIBsTesting
import Testing

@Suite("A long walk through everything that can be asked of a tree", .folded)
struct LongWalkTests {
  @Test("leaves nothing alive, delivers nothing to an ended scope, and loses no error")
  func walk() async throws {
    let (hosts, steps) = Thoroughness.count(usual: (10, 1_000), share: (10, 20_000), whole: (50, 20_000))
    let first = UInt64.random(in: 1...1_000_000)
    print("A long walk: seeds from \(first), \(hosts * steps) operations")
    let ledgers = try await withThrowingTaskGroup(of: ScopeLedger.self) { group in
      for number in 0..<hosts {
        group.addTask { try await walk(seed: first + UInt64(number), steps: steps) }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    // How much of its work a walk gets to, before its scopes end, is for the machine to say.
    for what in ["task", "named task", "run", "value", "worker task", "workflow", "didFail"] {
      #expect(ledgers.contains { $0.counts[what, default: 0] > 0 }, "\(what) never came, seeds from \(first)")
    }
    #expect(ledgers.contains { !$0.thrown.isEmpty }, "nothing failed, seeds from \(first)")
  }

  private func walk(seed: UInt64, steps: Int) async throws -> ScopeLedger {
    let ledger = ScopeLedger(seed: seed, isTracing: true)
    let misuse = Journal()
    let configuration = TreeConfiguration(
      leakDetection: .off, inspector: TestTree.inspector,
      onEvent: { if let error = $0.failure { ledger.didFail(error) } },
      onMisuse: { misuse.write("\($0)") },
      onFailure: { _ in ledger.count("failure of an inactive interactor") })
    let host = await TreeHost(configuration: configuration) { LongWalk(ledger) }
    for _ in 0..<(steps / 20) {
      try await host.perform { $0.step(20) }
      await Task.yield()
    }
    try await host.perform { $0.releaseAll() }
    await host.shutdown()
    // What was captured by work that runs beside the tree is released there, soon.
    let deadline = ContinuousClock.now + .seconds(300)
    while !ledger.livingKinds.isEmpty, ContinuousClock.now < deadline { await Task.yield() }
    #expect(ledger.faults.isEmpty, "seed \(seed)")
    #expect(ledger.livingKinds.isEmpty, "seed \(seed)")
    #expect(ledger.lostErrors.isEmpty, "seed \(seed)")
    #expect(misuse.lines.isEmpty, "seed \(seed)")
    return ledger
  }
}
