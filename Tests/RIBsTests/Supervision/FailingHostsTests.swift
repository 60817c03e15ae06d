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
    var host: TreeHost<CountedRouter>? = await TreeHost(configuration: configuration) {
      CountedRouter(counts, depth: 0, restarts: number.isMultiple(of: 2) ? .never : .upTo(1, within: .seconds(60)))
    }
    await withTaskGroup { [host] group in
      group.addTask {
        for _ in 0..<10 {
          do {
            try await host?.perform { root in
              root.slot.route = 1
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

private final class CountedRouter: Router<CountedInteractor> {
  private let counts: FailureCounts
  private let depth: Int
  private let restarts: Restarts

  lazy var slot = ChildSlot<Int>(of: self, restarts: restarts) { router, _ in
    CountedRouter(router.counts, depth: router.depth + 1, restarts: router.restarts)
  }

  /// The last RIB of the chain.
  var lowest: CountedRouter { (slot.child as? CountedRouter)?.lowest ?? self }

  init(_ counts: FailureCounts, depth: Int, restarts: Restarts) {
    self.counts = counts
    self.depth = depth
    self.restarts = restarts
    super.init(interactor: CountedInteractor(counts))
  }

  override func didLoad() {
    super.didLoad()
    if depth < 3 { slot.route = 1 }
  }
}

private final class CountedInteractor: Interactor {
  private let counts: FailureCounts

  init(_ counts: FailureCounts) { self.counts = counts }

  override func didBecomeActive() {
    super.didBecomeActive()
    counts.active.withLock { $0 += 1 }
  }

  override func willResignActive() {
    super.willResignActive()
    counts.active.withLock { $0 -= 1 }
  }
}
