import RIBs

protocol CountingItem: AnyObject {
  var count: Int { get set }
}

final class CountingInteractor: Interactor, CountingItem {
  var count = 0

  /// Counts in five asynchronous calls, in one task.
  func callFive(_ number: Int) {
    task { for _ in 0..<number { await self.five() } }
  }

  private nonisolated(nonsending) func five() async {
    var value = 0
    for _ in 0..<5 { value = await stepOfFive(value) }
    count += value
  }

  /// Builds a workflow of five steps and runs it, time after time, in one task.
  func runBuilt(_ number: Int) {
    task { for _ in 0..<number { try await self.makeWorkflow().run(self) } }
  }

  /// Runs the same workflow of five steps time after time, in one task.
  func runSame(_ number: Int) {
    task {
      let workflow = self.makeWorkflow()
      for _ in 0..<number { try await workflow.run(self) }
    }
  }

  /// Waits for one task after the other.
  func runTasks(_ number: Int) {
    task {
      for _ in 0..<number {
        let (ended, end) = AsyncStream<Void>.makeStream()
        self.task {
          await self.five()
          end.finish()
        }
        for await _ in ended {}
      }
    }
  }

  private func makeWorkflow() -> Workflow<any CountingItem> {
    Workflow<any CountingItem>()
      .onStep { item in (item, 1) }
      .onStep { item, value in (item, value + 1) }
      .onStep { item, value in (item, value + 1) }
      .onStep { item, value in (item, value + 1) }
      .onStep { item, value in
        item.count += value + 1
        return (item, ())
      }
      .commit()
  }
}

@inline(never)
private nonisolated(nonsending) func stepOfFive(_ value: Int) async -> Int { value + 1 }

func workflowCase() async throws {
  let count = 5_000
  let host = await TreeHost { Router(interactor: CountingInteractor()) }
  func measure(_ start: @escaping @Sendable (CountingInteractor) -> Void) async throws -> Double {
    try await best(operations: count) {
      try await host.perform { start($0.interactor) }
      while try await host.perform({ root in
        guard root.interactor.count >= count * 5 else { return true }
        root.interactor.count = 0
        return false
      }) { await Task.yield() }
    }
  }
  let calls = try await measure { $0.callFive(count) }
  let tasks = try await measure { $0.runTasks(count) }
  report("five-step workflow, built each time", try await measure { $0.runBuilt(count) }, calls)
  let same = try await measure { $0.runSame(count) }
  report("five-step workflow", same, calls)
  report("five-step workflow beside a task that is waited for", same, tasks)
  await host.shutdown()
}
