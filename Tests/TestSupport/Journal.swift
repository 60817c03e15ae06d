// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

package import RIBs

/// Lines written from anywhere, in one order.
package final class Journal: Sendable {
  private struct State {
    var lines: [String] = []
    var watchers: [(line: String, count: Int, wakeUp: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Locked(State())

  package init() {}

  package var lines: [String] { state.withLock { $0.lines } }

  package func write(_ line: String) {
    let awaited = state.withLock { state in
      state.lines.append(line)
      let count = state.lines.count { $0 == line }
      let awaited = state.watchers.filter { $0.line == line && $0.count <= count }
      state.watchers.removeAll { $0.line == line && $0.count <= count }
      return awaited
    }
    for watcher in awaited { watcher.wakeUp.resume() }
  }

  /// Returns when a line has been written so many times; at once if it was before.
  package func wait(for line: String, count: Int = 1) async {
    await withCheckedContinuation { wakeUp in
      let isThere = state.withLock { state in
        let isThere = state.lines.count { $0 == line } >= count
        if !isThere { state.watchers.append((line, count, wakeUp)) }
        return isThere
      }
      if isThere { wakeUp.resume() }
    }
  }
}

extension Journal {
  /// Writes the events of a tree: kind, path and failure. On a busy machine what was cancelled may take long to end.
  package var configuration: TreeConfiguration {
    TreeConfiguration(
      leakDetection: .off,
      onEvent: { event in
        let failure = event.failure.map { " \($0)" } ?? ""
        self.write("\(event.kind) \(event.path)" + failure)
      },
      onMisuse: { misuse in self.write("\(misuse.severity) \(misuse.kind) \(misuse.path)") })
  }
}

/// Closed until it is opened, once.
package final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var waiting: [AsyncStream<Void>.Continuation] = []
  }

  private let state = Locked(State())

  package init() {}

  package func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.finish() }
  }

  /// Returns when the gate is open, or the waiting task is cancelled.
  package nonisolated(nonsending) func pass() async {
    // A stream for each task: the cancellation of one task ends a stream for all that wait for it.
    let (stream, continuation) = AsyncStream<Void>.makeStream()
    let isOpen = state.withLock { state in
      if !state.isOpen { state.waiting.append(continuation) }
      return state.isOpen
    }
    if !isOpen { for await _ in stream {} }
  }

  /// Returns when the gate is open. Cancellation is ignored.
  @concurrent
  package func passStubbornly() async {
    await Task.detached { [self] in await pass() }.value
  }

  /// Writes that it has begun, and returns when the gate is open; cancellation is not respected.
  @concurrent
  package func passStubbornly(_ journal: Journal) async {
    journal.write("begun")
    await passStubbornly()
  }
}

/// The first value of a stream.
package func first<Value: Sendable>(of stream: AsyncStream<Value>) async -> Value? {
  for await value in stream { return value }
  return nil
}
