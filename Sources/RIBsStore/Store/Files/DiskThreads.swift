// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import RIBs

/// Runs blocking disk operations on a bounded number of threads of its own.
///
/// Keeps blocking calls off Swift's cooperative pool, which has one thread per core.
final class DiskThreads: Sendable {
  private struct State {
    /// The queues without a running job.
    var idle: [DispatchQueue]
    var waiting = FIFO<@Sendable () -> Void>()
  }

  private let state: Locked<State>
  private let width: Int

  /// - Parameter width: the maximum number of threads.
  init(width: Int) {
    self.width = width
    // A concurrent queue has as many threads as there are cores. Each serial queue has its own.
    state = Locked(State(idle: (0..<width).map { DispatchQueue(label: "RIBsStore.DiskThreads.\($0)") }))
  }

  func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    let value = Promise<Value>()
    start { value.set(body()) }
    return await value.value
  }

  /// Calls a closure with each item, several at once, and returns the values in the order of the items.
  func map<Item: Sendable, Value: Sendable>(
    _ items: [Item], _ body: @escaping @Sendable (Item) -> Value
  ) async -> [Value] {
    if items.isEmpty { return [] }
    let work = SharedWork(items, body)
    let values = Promise<[Value]>()
    for _ in 0..<min(width, items.count) {
      start { if let taken = work.take() { values.set(taken) } }
    }
    return await values.value
  }

  private func start(_ job: @escaping @Sendable () -> Void) {
    let queue = state.withLock { state in
      state.waiting.append(job)
      return state.idle.popLast()
    }
    queue?.async { [self] in while let job = nextJob(of: queue) { job() } }
  }

  /// The next job of a queue; nil if there is none.
  private func nextJob(of queue: DispatchQueue?) -> (@Sendable () -> Void)? {
    state.withLock { state in
      if let job = state.waiting.popFirst() { return job }
      if let queue { state.idle.append(queue) }
      return nil
    }
  }
}

/// Items that several threads take one by one.
private final class SharedWork<Item: Sendable, Value: Sendable>: Sendable {
  private struct State {
    var next = 0
    var missing: Int
    var values: [Value?]
  }

  private let items: [Item]
  private let body: @Sendable (Item) -> Value
  private let state: Locked<State>

  init(_ items: [Item], _ body: @escaping @Sendable (Item) -> Value) {
    self.items = items
    self.body = body
    state = Locked(State(missing: items.count, values: Array(repeating: nil, count: items.count)))
  }

  /// Handles items until none is left. The call that handles the last missing item returns all values.
  func take() -> [Value]? {
    while let index = nextIndex() {
      let value = body(items[index])
      let values: [Value]? = state.withLock { state in
        state.values[index] = value
        state.missing -= 1
        return state.missing == 0 ? state.values.compactMap(\.self) : nil
      }
      if let values { return values }
    }
    return nil
  }

  private func nextIndex() -> Int? {
    state.withLock { state in
      guard state.next < items.count else { return nil }
      defer { state.next += 1 }
      return state.next
    }
  }
}
