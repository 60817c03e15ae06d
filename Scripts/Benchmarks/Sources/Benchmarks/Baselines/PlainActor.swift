// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

import Workloads

/// The baseline without a tree: an actor that keeps its state in an object, and starts tasks.
actor PlainActor {
  final class State { var done = 0 }

  private let state = State()

  func start(_ count: Int) { for _ in 0..<count { Task { self.state.done += 1 } } }

  func startAway(_ count: Int) {
    for _ in 0..<count {
      Task.detached {
        let value = 1
        await self.add(value)
      }
    }
  }

  func answer(from service: Service) {
    Task { self.state.done += await service.first() + service.second() + service.third() }
  }

  func perform<Value: Sendable>(_ body: @Sendable (State) throws -> Value) rethrows -> Value { try body(state) }

  /// Runs a closure in a task, as a call that can be cancelled does.
  func call(_ body: @escaping @Sendable () async -> Int) async -> Int {
    let task = Task {
      self.state.done += 1
      await Task.yield()
      return await body()
    }
    return await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
  }

  private func add(_ value: Int) { state.done += value }
}

extension PlainActor {
  /// Waits until `count` operations are done, and resets the counter.
  func wait(for count: Int) async {
    while !(perform { $0.takeDone(count) }) { await Task.yield() }
  }
}

extension PlainActor.State {
  func takeDone(_ count: Int) -> Bool {
    guard done >= count else { return false }
    done = 0
    return true
  }
}
