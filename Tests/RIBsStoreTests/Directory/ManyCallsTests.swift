// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsStore
import RIBsTesting
import TestSupport
import Testing

@Suite("Many calls of a directory")
struct ManyCallsTests {
  static let calls = Thoroughness.count(usual: 2_500, share: 100_000, whole: 1_000_000)

  /// How many trees of each ID are active.
  typealias Registry = Shared<[Int: Int]>

  final class TallyInteractor: Interactor, Saving {
    var savedState = 0 { didSet { setNeedsSave() } }
    private let id: Int
    private let registry: Registry

    init(_ id: Int, _ registry: Registry) { (self.id, self.registry) = (id, registry) }

    override func didBecomeActive() {
      super.didBecomeActive()
      let count = registry.change { active in
        active[id, default: 0] += 1
        return active[id]
      }
      #expect(count == 1, "two trees of \(id)")
    }

    override func willResignActive() {
      registry.change { $0[id, default: 0] -= 1 }
      super.willResignActive()
    }
  }

  @Test(
    "are all answered or refused with a typed error and counted exactly, with passivation after nothing",
    arguments: [Int.max, 100])
  func exactly(_ limit: Int) async throws {
    let (registry, memory) = (Registry([:]), MemoryStore())
    let (ids, tasks) = (1_000, 50)
    // The calls of each ID.
    let answered = Shared([Int](repeating: 0, count: ids))
    let uncertain = Shared([Int](repeating: 0, count: ids))
    let seed = UInt64.random(in: 0 ... .max)
    func directory() -> TreeDirectory<Int, Router<TallyInteractor>> {
      TreeDirectory(
        "tally", in: memory, configuration: DirectoryConfiguration(idleAfter: .zero, limit: limit),
        tree: { _ in TreeConfiguration(leakDetection: .off) }
      ) { id in Router(interactor: TallyInteractor(id, registry)) }
    }
    // Three lives of a process; each is shut down while calls come in.
    for life in 0..<3 {
      let directory = directory()
      await withTaskGroup(of: Void.self) { group in
        for task in 0..<tasks {
          group.addTask {
            var random = TreeRandom(seed: seed &+ UInt64(life * tasks + task))
            for _ in 0..<(Self.calls / 3 / tasks) {
              let id = Int.random(in: 0..<ids, using: &random)
              let call = Task { try await directory.perform(on: id) { $0.interactor.savedState += 1 } }
              if Int.random(in: 0..<50, using: &random) == 0 { call.cancel() }
              do {
                try await call.value
                answered.change { $0[id] += 1 }
              } catch is DirectoryEnded {
                return
              } catch is DirectoryFull {
              } catch let error where error is CancellationError || error is TreeEnded {
                uncertain.change { $0[id] += 1 }
              } catch {
                Issue.record("\(error), seed \(seed)")
              }
            }
          }
        }
        group.addTask {
          // After about two thirds of the calls.
          while answered.value.reduce(0, +) < Self.calls / 9 * (2 + life * 2) { await Task.yield() }
          let report = await directory.shutdown()
          #expect(report.unsaved.isEmpty && report.unfinished.isEmpty)
        }
      }
      #expect(directory.count == 0)
    }
    let last = directory()
    for id in 0..<ids {
      let count = try await last.perform(on: id) { $0.interactor.savedState }
      let least = answered.value[id]
      #expect(count >= least && count <= least + uncertain.value[id], "\(id), seed \(seed)")
    }
    await last.shutdown()
    #expect(registry.value.values.allSatisfy { $0 == 0 })
  }
}
