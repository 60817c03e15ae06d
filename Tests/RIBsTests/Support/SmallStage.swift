// Part of swift-ribs. Copyright the authors of swift-ribs.
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
import RIBs
internal import Synchronization

/// An actor whose code runs on a thread with a stack of the given size.
actor SmallStage {
  private nonisolated let executor: ThreadExecutor

  init(stackSize: Int) { executor = ThreadExecutor(stackSize: stackSize) }

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  func run<Value: Sendable>(_ body: @Sendable (isolated SmallStage) throws -> Value) rethrows -> Value {
    try body(self)
  }
}

/// Runs jobs one after the other, on a thread that is made when there are some.
private final class ThreadExecutor: SerialExecutor {
  private struct Queue {
    var jobs: [UnownedJob] = []
    var isServed = false
  }

  private let stackSize: Int
  private let queue = Locked(Queue())
  /// Written by each holder of the lock and read by the next: the thread sanitizer does not see the lock itself.
  private let order = Atomic(false)

  init(stackSize: Int) { self.stackSize = stackSize }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let needsThread = withQueue { queue in
      queue.jobs.append(job)
      defer { queue.isServed = true }
      return !queue.isServed
    }
    if needsThread { startThread() }
  }

  private func withQueue<Result>(_ body: (inout Queue) -> sending Result) -> sending Result {
    queue.withLock { queue in
      _ = order.load(ordering: .acquiring)
      defer { order.store(true, ordering: .releasing) }
      return body(&queue)
    }
  }

  private func serve() {
    while true {
      let jobs = withQueue { queue in
        defer { queue.jobs = [] }
        queue.isServed = !queue.jobs.isEmpty
        return queue.jobs
      }
      if jobs.isEmpty { return }
      for job in jobs { job.runSynchronously(on: asUnownedSerialExecutor()) }
    }
  }

  private func startThread() {
    let thread = Thread { [self] in serve() }
    thread.stackSize = stackSize
    precondition(thread.stackSize == stackSize, "No thread can have a stack of \(stackSize) bytes.")
    thread.start()
  }
}
