import Foundation
import RIBs
import Testing

@Suite("A long walk through everything that can be asked of a tree")
struct LongWalkTests {
  @Test("leaves nothing alive, delivers nothing to an ended scope, and loses no error")
  func walk() async throws {
    let isThorough = ProcessInfo.processInfo.environment["RIBS_THOROUGH"] != nil
    let (hosts, steps) = isThorough ? (50, 20_000) : (10, 2_000)
    let first = UInt64.random(in: 1...1_000_000)
    print("A long walk: seeds from \(first), \(hosts * steps) operations")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<hosts {
        group.addTask { try await walk(seed: first + UInt64(number), steps: steps) }
      }
      try await group.waitForAll()
    }
  }

  private func walk(seed: UInt64, steps: Int) async throws {
    let ledger = WalkLedger()
    let misuse = Journal()
    let configuration = TreeConfiguration(
      leakDetection: .off, onEvent: { ledger.hear($0) }, onMisuse: { misuse.write("\($0)") })
    let host = await TreeHost(configuration: configuration) { LongWalk(seed: seed, ledger) }
    for _ in 0..<(steps / 20) {
      try await host.perform { $0.step(20) }
      await Task.yield()
    }
    try await host.perform { $0.letGo() }
    await host.shutdown()
    // What was captured by work that runs beside the tree is released there, soon.
    var patience = 1_000_000
    while !ledger.alive.isEmpty, patience > 0 {
      await Task.yield()
      patience -= 1
    }
    #expect(ledger.faults.isEmpty, "seed \(seed)")
    #expect(ledger.alive.isEmpty, "seed \(seed)")
    #expect(ledger.lostErrors.isEmpty, "seed \(seed)")
    #expect(misuse.lines.isEmpty, "seed \(seed)")
    #expect(ledger.errorCount > steps / 100, "seed \(seed)")
    for what in ["task", "named task", "run", "value", "worker task", "workflow", "didFail"] {
      #expect(ledger.counts[what, default: 0] > 0, "\(what) never came, seed \(seed)")
    }
  }
}
