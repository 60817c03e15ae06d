// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import RIBs
import Workloads

private protocol CountingItem: AnyObject {
  var count: Int { get set }
}

private final class CountingInteractor: Interactor, CountingItem {
  var count = 0

  /// Makes five asynchronous calls repeatedly in one task.
  func callFive(_ number: Int) {
    task { for _ in 0..<number { await self.five() } }
  }

  private nonisolated(nonsending) func five() async {
    var value = 0
    for _ in 0..<5 { value = await stepOfFive(value) }
    count += value
  }

  /// Builds and runs a workflow of five steps repeatedly in one task.
  func runBuilt(_ number: Int) {
    task { for _ in 0..<number { try await self.makeWorkflow().run(self) } }
  }

  /// Runs the same workflow of five steps repeatedly in one task.
  func runSame(_ number: Int) {
    task {
      let workflow = self.makeWorkflow()
      for _ in 0..<number { try await workflow.run(self) }
    }
  }

  /// Awaits tasks one after another.
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
private nonisolated(nonsending) func stepOfFive(_ value: Int) async -> Int {
  keep(value)
  return value + 1
}

/// Workflows of five steps, compared with five plain asynchronous calls, and with an awaited task.
///
/// The target is missed, with 3.7 times an awaited task: each step that follows another starts a Swift task to continue.
func workflowCase() async throws -> [Measurement] {
  let count = 5_000
  let host = await TreeHost { Router(interactor: CountingInteractor()) }
  func run(_ start: @escaping @Sendable (CountingInteractor) -> Void) async throws {
    try await host.perform { start($0.interactor) }
    while try await host.perform({ root in
      guard root.interactor.count >= count * 5 else { return true }
      root.interactor.count = 0
      return false
    }) { await Task.yield() }
  }
  let built = try await Comparison(operations: count) {
    try await run { $0.callFive(count) }
  } _: {
    try await run { $0.runBuilt(count) }
  }
  let same = try await Comparison(operations: count) {
    try await run { $0.callFive(count) }
  } _: {
    try await run { $0.runSame(count) }
  }
  let tasks = try await best(operations: count) { try await run { $0.runTasks(count) } }
  await host.shutdown()
  return [
    Measurement("five-step workflow, built each time", built),
    Measurement("five-step workflow", same),
    Measurement("five-step workflow, beside a task that is waited for", same.value, over: tasks, .atMost(1.5)),
  ]
}
