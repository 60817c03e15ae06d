// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import RIBs
import Testing

@Suite("Hosts whose RIBs fail", .folded, .serialized)
struct FailingHostsTests {
  private typealias Counts = (active: Int, unanswered: Int, ended: Int)

  @Test("and that are shut down, dropped and called at the same time leave nothing active, and lose no failure")
  func race() async {
    let counts = Shared((active: 0, unanswered: 0, ended: 0))
    await withTaskGroup { group in
      for number in 0..<200 {
        group.addTask { await run(number, counts) }
      }
    }
    while counts.value.ended < 200 { await Task.yield() }
    #expect(counts.value.active == 0)
    #expect(counts.value.ended == 200)
    // A tree fails once at most.
    #expect(counts.value.unanswered <= 200)
  }

  private func run(_ number: Int, _ counts: Shared<Counts>) async {
    let configuration = TreeConfiguration(
      leakDetection: .off, onMisuse: { _ in }, onFailure: { _ in counts.change { $0.unanswered += 1 } },
      onEnd: { _ in counts.change { $0.ended += 1 } })
    var host: TreeHost<SupervisedRouter>? = await TreeHost(configuration: configuration) {
      let world = SupervisedWorld()
      world.onBuild = { router in if router.name.count < 4 { router.slot.route = router.name + "+" } }
      world.onActive = { _ in counts.change { $0.active += 1 } }
      world.onResign = { _ in counts.change { $0.active -= 1 } }
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

extension SupervisedRouter {
  /// The last RIB of the chain.
  fileprivate var lowest: SupervisedRouter { (slot.child as? SupervisedRouter)?.lowest ?? self }
}
