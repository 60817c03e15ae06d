// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import Testing

/// On real actors, where what comes back waits for its turn.
@Suite("Bound work takes its turn", .timeLimit(.minutes(15)))
struct TurnTests {
  final class Interactor: RIBs.Interactor {
    private(set) var begun: [Int] = []
    private(set) var turns = 0

    func start(_ count: Int) {
      for number in 0..<count { task { self.begun.append(number) } }
    }

    /// Never rests until it is cancelled.
    func spin() {
      task { [self] in
        while !Task.isCancelled {
          turns += 1
          await Task.yield()
        }
      }
    }
  }

  @Test("in the order in which it was started")
  func order() async throws {
    let host = await TreeHost { Router(interactor: Interactor()) }
    for _ in 0..<20 {
      let before = try await host.perform { $0.interactor.begun.count }
      try await host.perform { $0.interactor.start(500) }
      while try await host.perform({ $0.interactor.begun.count < before + 500 }) { await Task.yield() }
      #expect(try await host.perform { Array($0.interactor.begun[before...]) } == Array(0..<500))
    }
    await host.shutdown()
  }

  @Test("beside calls from outside, and calls beside work that never rests")
  func fairness() async throws {
    let host = await TreeHost { Router(interactor: Interactor()) }
    try await host.perform { root in for _ in 0..<3 { root.interactor.spin() } }
    var turns = 0
    for _ in 0..<1_000 {
      // Each call returns only when it has run, and continues only when the work has run again.
      while try await host.perform({ $0.interactor.turns }) == turns { await Task.yield() }
      turns = try await host.perform { $0.interactor.turns }
    }
    #expect(turns >= 1_000)
    #expect(await host.shutdown().unfinishedTasks.isEmpty)
  }

  @Test("beside other work of the main actor")
  @MainActor
  static func mainActor() async {
    let root = Router(interactor: Interactor())
    let tree = Tree.launched(root)
    root.interactor.spin()
    for _ in 0..<1_000 {
      let turns = root.interactor.turns
      while root.interactor.turns == turns { await Task.yield() }
    }
    await tree.shutdown()
    #expect(root.interactor.turns >= 1_000)
  }

  @Test("whatever the priority of the task that started it")
  func priorities() async throws {
    let host = await TreeHost { Router(interactor: Interactor()) }
    try await withThrowingTaskGroup { group in
      for priority in [TaskPriority.background, .low, .medium, .high] {
        group.addTask(priority: priority) {
          for _ in 0..<500 { try await host.perform { $0.interactor.start(3) } }
        }
      }
      try await group.waitForAll()
    }
    while try await host.perform({ $0.interactor.begun.count < 6_000 }) { await Task.yield() }
    await host.shutdown()
  }
}
