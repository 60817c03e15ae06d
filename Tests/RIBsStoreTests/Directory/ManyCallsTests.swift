// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import RIBsStore
import RIBsTesting
import TestSupport
import Testing

@Suite("Many calls of a directory")
struct ManyCallsTests {
  static let calls = Thoroughness.count(usual: 10_000, share: 100_000, whole: 1_000_000)

  /// Each tree counts the trees of its ID that are active.
  final class Registry: Sendable {
    private let active = Locked<[Int: Int]>([:])

    func enter(_ id: Int) {
      let count = active.withLock { active in
        active[id, default: 0] += 1
        return active[id] ?? 0
      }
      #expect(count == 1, "two trees of \(id)")
    }

    func leave(_ id: Int) { active.withLock { $0[id, default: 0] -= 1 } }

    var isEmpty: Bool { active.withLock { $0.values.allSatisfy { $0 == 0 } } }
  }

  /// The calls of each ID.
  final class Counts: Sendable {
    private let answered: Locked<[Int]>
    private let uncertain: Locked<[Int]>

    init(_ ids: Int) {
      answered = Locked([Int](repeating: 0, count: ids))
      uncertain = Locked([Int](repeating: 0, count: ids))
    }

    func add(_ id: Int, isAnswered: Bool) {
      if isAnswered { answered.withLock { $0[id] += 1 } } else { uncertain.withLock { $0[id] += 1 } }
    }

    var total: Int { answered.withLock { $0.reduce(0, +) } }

    subscript(id: Int) -> (answered: Int, uncertain: Int) {
      (answered.withLock { $0[id] }, uncertain.withLock { $0[id] })
    }
  }

  final class TallyInteractor: Interactor, Saving {
    var savedState = 0 { didSet { setNeedsSave() } }
    private let id: Int
    private let registry: Registry

    init(_ id: Int, _ registry: Registry) {
      self.id = id
      self.registry = registry
      super.init()
    }

    override func didBecomeActive() {
      super.didBecomeActive()
      registry.enter(id)
    }

    override func willResignActive() {
      registry.leave(id)
      super.willResignActive()
    }
  }

  @Test(
    "are all answered or refused with a typed error and counted exactly, with passivation after nothing",
    arguments: [Int.max, 100])
  func exactly(_ limit: Int) async throws {
    let (registry, memory) = (Registry(), MemoryStore())
    let (ids, tasks) = (1_000, 50)
    let counts = Counts(ids)
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
                counts.add(id, isAnswered: true)
              } catch is DirectoryEnded {
                return
              } catch is DirectoryFull {
              } catch is CancellationError {
                counts.add(id, isAnswered: false)
              } catch is TreeEnded {
                counts.add(id, isAnswered: false)
              } catch {
                Issue.record("\(error), seed \(seed)")
              }
            }
          }
        }
        group.addTask {
          // After about two thirds of the calls.
          while counts.total < Self.calls / 9 * (2 + life * 2) { await Task.yield() }
          let report = await directory.shutdown()
          #expect(report.unsaved.isEmpty && report.unfinished.isEmpty)
        }
      }
      #expect(directory.count == 0)
    }
    let last = directory()
    for id in 0..<ids {
      let count = try await last.perform(on: id) { $0.interactor.savedState }
      let (least, most) = counts[id]
      #expect(count >= least && count <= least + most, "\(id), seed \(seed)")
    }
    await last.shutdown()
    #expect(registry.isEmpty)
  }
}
