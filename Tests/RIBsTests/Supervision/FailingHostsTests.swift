// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import RIBs
import Testing

@Suite("Hosts whose RIBs fail", .folded, .serialized)
struct FailingHostsTests {
  @Test("and that are shut down, dropped and called at the same time leave nothing active, and lose no failure")
  func race() async {
    let counts = FailureCounts()
    await withTaskGroup { group in
      for number in 0..<200 {
        group.addTask { await run(number, counts) }
      }
    }
    while counts.ended.withLock({ $0 }) < 200 { await Task.yield() }
    #expect(counts.active.withLock { $0 } == 0)
    #expect(counts.ended.withLock { $0 } == 200)
    // A tree fails once at most.
    #expect(counts.unanswered.withLock { $0 } <= 200)
  }

  private func run(_ number: Int, _ counts: FailureCounts) async {
    let configuration = TreeConfiguration(
      leakDetection: .off, onMisuse: { _ in }, onFailure: { _ in counts.unanswered.withLock { $0 += 1 } },
      onEnd: { _ in counts.ended.withLock { $0 += 1 } })
    var host: TreeHost<SupervisedRouter>? = await TreeHost(configuration: configuration) {
      let world = SupervisedWorld()
      world.onBuild = { router in if router.name.count < 4 { router.slot.route = router.name + "+" } }
      world.onActive = { _ in counts.active.withLock { $0 += 1 } }
      world.onResign = { _ in counts.active.withLock { $0 -= 1 } }
      return world.build("+", number.isMultiple(of: 2) ? .never : .upTo(1, within: .seconds(60)))
    }
    await withTaskGroup { [host] group in
      group.addTask {
        for _ in 0..<10 {
          do {
            try await host?.perform { root in
              root.slot.route = "++"
              root.lowest.interactor.fail(Failure())
            }
          } catch {
            #expect(error is TreeFailure || error is TreeEnded)
          }
          await Task.yield()
        }
      }
      if !number.isMultiple(of: 3) {
        group.addTask {
          for _ in 0..<(number % 7) { await Task.yield() }
          _ = await host?.shutdown()
        }
      }
    }
    host = nil
  }
}

/// Counts what happens in the trees of a test.
private final class FailureCounts: Sendable {
  let active = Locked(0)
  let unanswered = Locked(0)
  let ended = Locked(0)
}

extension SupervisedRouter {
  /// The last RIB of the chain.
  fileprivate var lowest: SupervisedRouter { (slot.child as? SupervisedRouter)?.lowest ?? self }
}
