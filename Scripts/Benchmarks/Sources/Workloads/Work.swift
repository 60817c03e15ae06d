// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs

/// An interactor that counts its completed bound work.
package final class WorkInteractor: Interactor {
  package var done = 0

  package override init() { super.init() }

  package func start(_ count: Int) { for _ in 0..<count { task { self.done += 1 } } }

  package func startAway(_ count: Int) { for _ in 0..<count { run({ 1 }) { self.done += $0 } } }

  /// Handles a message: calls a service three times, and stores the sum of its answers.
  package func answer(from service: Service) {
    task { self.done += await service.first() + service.second() + service.third() }
  }
}

extension WorkInteractor {
  /// Starts tasks one after another.
  package nonisolated(nonsending) func runTasks(_ count: Int) async {
    for _ in 0..<count {
      let (ended, end) = AsyncStream<Void>.makeStream()
      task {
        self.done += 1
        end.finish()
      }
      for await _ in ended {}
    }
  }

  /// Runs the same workflow of five steps repeatedly.
  package nonisolated(nonsending) func runWorkflow(_ count: Int) async throws {
    let workflow = Workflow<WorkInteractor>()
      .onStep { item in (item, 1) }
      .onStep { item, value in (item, value + 1) }
      .onStep { item, value in (item, value + 1) }
      .onStep { item, value in (item, value + 1) }
      .onStep { item, value in
        item.done += value + 1
        return (item, ())
      }
      .commit()
    for _ in 0..<count { try await workflow.run(self) }
  }
}

/// The service, a separate actor.
package actor Service {
  private let one = 1

  package init() {}

  package func first() -> Int { one }
  package func second() -> Int { one - 1 }
  package func third() -> Int { one - 1 }
}

extension WorkInteractor {
  package func takeDone(_ count: Int) -> Bool {
    guard done >= count else { return false }
    done = 0
    return true
  }
}

extension TreeHost<Router<WorkInteractor>> {
  /// Waits until `count` operations are done, and resets the counter.
  package nonisolated(nonsending) func wait(for count: Int) async throws {
    while try await perform({ !$0.interactor.takeDone(count) }) { await Task.yield() }
  }
}
